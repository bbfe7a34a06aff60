import JobWire
import LinuxSystem

/// The template and the inputs of `jobrun each`: the command's words before the first `:::`, and the inputs.
struct BatchInputs {
  /// The separators of inputs in files.
  struct Format {
    /// The end of each input.
    var end = UInt8(ascii: "\n")
    /// The separator of columns; nil = one column.
    var columns: [UInt8]?
    /// Whether the first line of each list has names.
    var hasHeader = false

    static let lines = Format()
    static let endingWithNUL = Format(end: 0)
  }

  typealias Row = [ArraySlice<UInt8>]

  /// The command, with a place for inputs at least at its end.
  let command: [Argument]
  /// In the form in which they are sent (`PackedInputs`).
  let bytes: [UInt8]
  let count: Int
  /// Inputs of each job.
  let width: Int
  /// The names of the inputs, in order; empty without a header.
  let names: [String]

  /// Parses the words after `--`; without `:::` and `::::` the inputs are read from standard input.
  init(
    _ words: [Argument], _ format: Format = .lines,
    reading standardInput: () throws(WireError) -> [UInt8]?
  ) throws(WireError) {
    let end = words.firstIndex { InputSource.mark($0) != nil } ?? words.endIndex
    var sources = try InputSource.all(words[end...], format, standardInput)
    let names = format.hasHeader ? try Self.takeHeader(of: &sources) : []
    let linked = InputSource.linked(sources)
    let width = linked.reduce(0) { $0 + $1.width }
    guard width <= Limits.inputsOfJob else {
      throw WireError(
        .usage, "each has \(width) lists of inputs; \(Limits.inputsOfJob) is the limit")
    }
    var product = 1
    for source in linked {
      let (next, overflow) = product.multipliedReportingOverflow(by: source.rows.count)
      product = overflow ? .max : next
    }
    try Self.checkSize(of: linked, count: product)
    count = product
    bytes = Self.product(of: linked, count: product)
    for word in words[..<end] { try Self.checkColumns(in: word.text, names) }
    command = try Self.command(
      words[..<end].map { Argument(named: $0, names) }, width: max(1, width))
    (self.names, self.width) = (names, width)
  }

  /// Keeps only the wanted inputs.
  init(_ all: BatchInputs, where isWanted: (Int) -> Bool) throws(WireError) {
    (command, width, names) = (all.command, all.width, all.names)
    let lists = try PackedInputs(all.bytes, count: all.count, width: all.width)
    let wanted = (0..<all.count).filter(isWanted)
    bytes = wanted.reduce(into: []) { $0 += lists.packed(at: $1) }
    count = wanted.count
  }

  /// The words of each command, ready to execute.
  func commands() throws(WireError) -> [[[UInt8]]] {
    let lists = try PackedInputs(bytes, count: count, width: width)
    let template = CommandTemplate(command.map { $0.bytes })
    return (0..<count).map { index in
      template.filled(with: CommandTemplate.Filling(lists[index], position: index + 1))
    }
  }

  /// The path of each job's output.
  func outputs(_ path: String) throws(WireError) -> [String] {
    let lists = try PackedInputs(bytes, count: count, width: width)
    return (0..<count).map { index in
      OutputPath.filled(
        path, with: CommandTemplate.Filling(lists[index], position: index + 1))
    }
  }

  /// The names in the first row of each list, which goes.
  private static func takeHeader(of sources: inout [InputSource]) throws(WireError) -> [String] {
    var names: [String] = []
    for place in sources.indices {
      guard let row = sources[place].rows.first else {
        throw WireError(.usage, "a list of inputs has no header; its first line names the columns")
      }
      sources[place].rows.removeFirst()
      names += row.map { String(decoding: $0, as: UTF8.self) }
    }
    return names
  }

  private static func checkSize(of sources: [InputSource], count: Int) throws(WireError) {
    guard count <= Limits.jobsAtOnce else {
      throw WireError(
        .unavailable,
        "\(QuantityText.grouped(count)) jobs are more than may wait;"
          + " \(QuantityText.grouped(Limits.jobsAtOnce)) is the limit, and none of them is accepted"
      )
    }
    guard count > 0 else { return }
    // Each input stands once in every job that has it, with a NUL behind it.
    let length = sources.reduce(0) { sum, source in
      let own = source.rows.reduce(0) { sum, row in row.reduce(sum) { $0 + $1.count + 1 } }
      return sum + own * (count / source.rows.count)
    }
    guard length <= Limits.inputBytes else {
      throw WireError(
        .unavailable,
        "the inputs of all jobs have \(QuantityText.grouped(length)) bytes;"
          + " \(QuantityText.grouped(Limits.inputBytes)) is the limit, and none of them is accepted"
      )
    }
  }

  /// The command with at least one place; places by number must have an input.
  private static func command(
    _ words: [Argument], width: Int
  ) throws(WireError) -> [Argument] {
    guard let first = words.first else {
      throw WireError(.usage, "each needs a command before :::")
    }
    guard !CommandTemplate([first.bytes]).hasPlaces else {
      throw WireError(
        .usage,
        "the command \(first.text.quoted) is an input; name a program, as in ./convert {}, or sh -c {} if"
          + " each input is a command of the shell")
    }
    if let place = CommandTemplate.unknownPlace(in: words.map { $0.bytes }) {
      throw WireError(
        .usage,
        "\(place) is not a placeholder; there are {}, {1}, {.}, {/}, {//}, {/.}, {1.} and so on,"
          + " {#} and {%}")
    }
    let template = CommandTemplate(words.map { $0.bytes })
    guard template.highest <= width else {
      throw WireError(
        .usage,
        "{\(template.highest)} asks for input \(template.highest) of each job, which has \(width)")
    }
    return template.hasPlaces ? words : words + [Argument("{}")]
  }

  /// Each of the first list with each of the second and so on; the last changes fastest.
  private static func product(of sources: [InputSource], count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var indices = [Int](repeating: 0, count: sources.count)
    for _ in 0..<count {
      for (source, index) in zip(sources, indices) {
        for input in source.rows[index] {
          bytes += input
          bytes.append(0)
        }
      }
      for place in indices.indices.reversed() {
        indices[place] += 1
        if indices[place] < sources[place].rows.count { break }
        indices[place] = 0
      }
    }
    return bytes
  }
}

extension Argument {
  /// The word with `{NAME}` of a header replaced by `{1}`, also `{NAME.}` and so on.
  init(named word: Argument, _ names: [String]) {
    guard !names.isEmpty else {
      self = word
      return
    }
    self = Argument(BatchInputs.numbered(word.text, names))
  }
}

extension BatchInputs {
  /// - Throws: `usage` for a place `{NAME}` in a command or a title that names no column of the header. A shell's
  ///   `${NAME}` is no place.
  static func checkColumns(in text: String, _ names: [String]) throws(WireError) {
    let known = names.filter { !$0.isEmpty }
    guard !known.isEmpty else { return }
    let bytes = Array(numbered(text, names).utf8)
    for (open, byte) in bytes.enumerated() where byte == UInt8(ascii: "{") {
      if open > 0, bytes[open - 1] == UInt8(ascii: "$") { continue }
      let rest = bytes[(open + 1)...]
      guard let first = rest.first, first.isWordByte, !(48...57).contains(first),
        let close = rest.firstIndex(of: UInt8(ascii: "}")),
        ["", ".", "/", "//", "/."].contains(
          String(decoding: rest[..<close].drop { $0.isWordByte }, as: UTF8.self))
      else { continue }
      throw WireError(
        .usage,
        "{\(String(decoding: rest[..<close], as: UTF8.self))} is not a column; there"
          + " \(known.count == 1 ? "is" : "are") \(known.joined(separator: ", "))")
    }
  }

  static func numbered(_ text: String, _ names: [String]) -> String {
    var text = text
    for (index, name) in names.enumerated() where !name.isEmpty {
      for end in ["}", ".}", "/}", "//}", "/.}"] {
        text = text.replacing("{\(name)\(end)", by: "{\(index + 1)\(end)")
      }
    }
    return text
  }
}

extension UInt8 {
  /// Whether it may be part of a name: a letter, a digit, `_`, `-`, or a part of a character beyond ASCII.
  fileprivate var isWordByte: Bool {
    switch self {
    case 48...57, 65...90, 97...122, 45, 95, 128...: true
    default: false
    }
  }
}

extension String {
  /// Every `old` in it as `new`, in one pass.
  fileprivate func replacing(_ old: String, by new: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    let wanted = Array(old.utf8)
    while let byte = rest.first {
      if rest.starts(with: wanted) {
        bytes += new.utf8
        rest = rest.dropFirst(wanted.count)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
