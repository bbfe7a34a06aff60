import JobWire
import LinuxSystem

/// One list of inputs of `jobrun each`: words after `:::`, files after `::::`, or standard input.
struct InputSource {
  /// The separator before a list.
  struct Mark: Equatable {
    let isFile: Bool
    /// Each of the list goes with one of the list before.
    let isLink: Bool
  }

  var rows: [BatchInputs.Row]
  var isLink = false

  /// Inputs of each row.
  var width: Int { rows.first?.count ?? 1 }

  static func mark(_ word: Argument) -> Mark? {
    switch word.text {
    case ":::": Mark(isFile: false, isLink: false)
    case "::::": Mark(isFile: true, isLink: false)
    case ":::+": Mark(isFile: false, isLink: true)
    case "::::+": Mark(isFile: true, isLink: true)
    default: nil
    }
  }

  static func all(
    _ words: ArraySlice<Argument>, _ format: BatchInputs.Format,
    _ standardInput: () throws(WireError) -> [UInt8]?
  ) throws(WireError) -> [InputSource] {
    guard let first = words.first else {
      guard let bytes = try standardInput() else { throw noInputs }
      return [InputSource(rows: try rows(in: bytes, format, of: "standard input"))]
    }
    if mark(first)?.isLink == true {
      throw WireError(.usage, "\(first.text) links its list with one before it, and there is none")
    }
    var sources: [InputSource] = []
    var isFile = false
    for word in words {
      if let mark = mark(word) {
        isFile = mark.isFile
        // Each file after :::: is a separate list.
        sources.append(InputSource(rows: [], isLink: mark.isLink))
      } else if isFile {
        let bytes = try word.text == "-" ? standardInput() ?? [] : content(of: word)
        let rows = try rows(in: bytes, format, of: word.text.quoted)
        if sources[sources.count - 1].isFilled {
          sources.append(InputSource(rows: rows))
        } else {
          sources[sources.count - 1].rows = rows
        }
        sources[sources.count - 1].isFilled = true
      } else {
        sources[sources.count - 1].rows.append(cells(of: word.bytes[...], format))
      }
    }
    for place in sources.indices { sources[place].makeEven() }
    return sources
  }

  /// A file was read into it.
  private var isFilled = false

  init(rows: [BatchInputs.Row], isLink: Bool = false) {
    self.rows = rows
    self.isLink = isLink
  }

  /// Joins linked lists; the shortest determines the length.
  static func linked(_ sources: [InputSource]) -> [InputSource] {
    sources.reduce(into: []) { linked, source in
      guard source.isLink, let before = linked.popLast() else { return linked.append(source) }
      linked.append(InputSource(rows: zip(before.rows, source.rows).map { $0 + $1 }))
    }
  }

  /// Fills rows with empty columns up to the longest row.
  private mutating func makeEven() {
    let width = rows.map { $0.count }.max() ?? 1
    for place in rows.indices where rows[place].count < width {
      rows[place] += [ArraySlice<UInt8>](repeating: [], count: width - rows[place].count)
    }
  }

  static let noInputs = WireError(
    .usage, "each has no inputs; write them behind :::, or :::: and a file")

  private static func content(of word: Argument) throws(WireError) -> [UInt8] {
    do throws(SystemError) {
      return try File.readAll(word.text, limit: Limits.inputBytes)
    } catch {
      guard error.number != SystemError.tooLarge else { throw tooMany(in: word.text.quoted) }
      throw WireError(
        error.number == SystemError.notFound ? .notFound : .usage,
        "the inputs in \(word.text.quoted) cannot be read: \(error.reason)")
    }
  }

  static func tooMany(in source: String) -> WireError {
    WireError(
      .unavailable,
      "the inputs in \(source) have more than \(QuantityText.grouped(Limits.inputBytes)) bytes,"
        + " which is the limit; none of them is accepted")
  }

  /// Empty lines are skipped.
  private static func rows(
    in bytes: [UInt8], _ format: BatchInputs.Format, of source: String
  ) throws(WireError) -> [BatchInputs.Row] {
    if format.end == 0 {
      let all = bytes.split(separator: 0, omittingEmptySubsequences: false)
      let inputs = bytes.last == 0 ? all.dropLast() : bytes.isEmpty ? [] : all[...]
      return inputs.map { cells(of: $0, format) }
    }
    guard !bytes.contains(0) else {
      throw WireError(.usage, "\(source) has inputs that end with NUL; write \(Flag.null.spelling)")
    }
    var inputs = bytes.split(separator: format.end)
    // The line ends with the last input that another character ends.
    if format.end != UInt8(ascii: "\n"), let last = inputs.last, last.last == UInt8(ascii: "\n") {
      inputs[inputs.count - 1] = last.dropLast()
      if last.count == 1 { inputs.removeLast() }
    }
    var rows = inputs.map { cells(of: $0, format) }
    let width = rows.map { $0.count }.max() ?? 1
    for place in rows.indices where rows[place].count < width {
      rows[place] += [ArraySlice<UInt8>](repeating: [], count: width - rows[place].count)
    }
    return rows
  }

  private static func cells(
    of input: ArraySlice<UInt8>, _ format: BatchInputs.Format
  ) -> BatchInputs.Row {
    guard let separator = format.columns, let first = separator.first else { return [input] }
    var cells: BatchInputs.Row = []
    var start = input.startIndex
    var index = start
    while index < input.endIndex {
      if input[index] == first, input[index...].starts(with: separator) {
        cells.append(input[start..<index])
        index += separator.count
        start = index
      } else {
        index += 1
      }
    }
    return cells + [input[start...]]
  }
}
