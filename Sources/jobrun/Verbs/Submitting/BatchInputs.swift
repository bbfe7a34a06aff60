import JobWire
import LinuxSystem

/// What the jobs of `jobrun each` differ in: the command's words before the first `:::`, and the inputs.
struct BatchInputs {
  /// The command, with a place for inputs at least at its end.
  let command: [Argument]
  /// As they are sent (`InputLists`).
  let bytes: [UInt8]
  let count: Int
  /// Inputs of each job.
  let width: Int

  /// Takes apart what stands behind `--`; without `:::` and `::::` the inputs are read from standard input.
  ///
  /// `endsWithNUL`: inputs in files end with NUL, not with lines.
  init(
    _ words: [Argument], endsWithNUL: Bool, reading standardInput: () throws(WireError) -> [UInt8]?
  ) throws(WireError) {
    try Self.checkLinks(words)
    let end = words.firstIndex { Self.isMark($0) } ?? words.endIndex
    let sources = try Self.sources(words[end...], endsWithNUL, standardInput)
    let counts = sources.map { $0.count }
    guard counts.allSatisfy({ $0 > 0 }) else {
      throw WireError(.usage, "each has no inputs; write them behind :::, or :::: and a file")
    }
    width = sources.count
    guard width <= Limits.inputsOfJob else {
      throw WireError(
        .usage, "each has \(width) lists of inputs; \(Limits.inputsOfJob) is the limit")
    }
    var product = 1
    for count in counts {
      let (next, overflow) = product.multipliedReportingOverflow(by: count)
      product = overflow ? .max : next
    }
    guard product <= Limits.jobsAtOnce else {
      throw WireError(
        .unavailable,
        "\(QuantityText.grouped(product)) jobs are more than may wait;"
          + " \(QuantityText.grouped(Limits.jobsAtOnce)) is the limit, and none of them is accepted"
      )
    }
    // Each input stands once in every job that has it, with a NUL behind it.
    let length = sources.reduce(0) { sum, source in
      sum + source.reduce(0) { $0 + $1.count + 1 } * (product / source.count)
    }
    guard length <= Limits.inputBytes else {
      throw WireError(
        .unavailable,
        "the inputs of all jobs have \(QuantityText.grouped(length)) bytes;"
          + " \(QuantityText.grouped(Limits.inputBytes)) is the limit, and none of them is accepted"
      )
    }
    count = product
    bytes = Self.product(of: sources, count: product)
    command = try Self.command(Array(words[..<end]), width: width)
  }

  private static func isMark(_ word: Argument) -> Bool { word.text == ":::" || word.text == "::::" }

  /// What parallel(1) links with another list must not become an input.
  private static func checkLinks(_ words: [Argument]) throws(WireError) {
    guard let link = words.first(where: { $0.text == ":::+" || $0.text == "::::+" }) else { return }
    throw WireError(
      .usage,
      "each does not link lists of inputs (\(link.text)); write each pair as one input, or leave out"
        + " the + to combine each with each")
  }

  /// The command with at least one place; what is asked for by number has to be there.
  private static func command(
    _ words: [Argument], width: Int
  ) throws(WireError) -> [Argument] {
    guard let first = words.first else {
      throw WireError(.usage, "each needs a command before :::")
    }
    guard !CommandTemplate([first.bytes]).hasPlaces else {
      throw WireError(
        .usage, "the command \(first.text.quoted) is an input; name a program, as in sh -c {}")
    }
    let template = CommandTemplate(words.map { $0.bytes })
    guard template.highest <= width else {
      throw WireError(
        .usage,
        "{\(template.highest)} asks for input \(template.highest) of each job, which has \(width)")
    }
    return template.hasPlaces ? words : words + [Argument("{}")]
  }

  private static func sources(
    _ words: ArraySlice<Argument>, _ endsWithNUL: Bool,
    _ standardInput: () throws(WireError) -> [UInt8]?
  ) throws(WireError) -> [[ArraySlice<UInt8>]] {
    if words.isEmpty {
      guard let bytes = try standardInput() else { return [[]] }
      return [try inputs(in: bytes, endsWithNUL, of: "standard input")]
    }
    var sources: [[ArraySlice<UInt8>]] = []
    var isFile = false
    for word in words {
      if isMark(word) {
        isFile = word.text == "::::"
        if !isFile { sources.append([]) }
      } else if isFile {
        let bytes = try word.text == "-" ? standardInput() ?? [] : content(of: word)
        sources.append(try inputs(in: bytes, endsWithNUL, of: word.text.quoted))
      } else {
        sources[sources.count - 1].append(word.bytes[...])
      }
    }
    return sources.isEmpty ? [[]] : sources
  }

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

  /// Empty lines are none.
  private static func inputs(
    in bytes: [UInt8], _ endsWithNUL: Bool, of source: String
  ) throws(WireError) -> [ArraySlice<UInt8>] {
    if endsWithNUL {
      let all = bytes.split(separator: 0, omittingEmptySubsequences: false)
      return bytes.last == 0 ? all.dropLast() : bytes.isEmpty ? [] : all
    }
    guard !bytes.contains(0) else {
      throw WireError(.usage, "\(source) has inputs that end with NUL; write \(Flag.null.spelling)")
    }
    return bytes.split(separator: UInt8(ascii: "\n"))
  }

  /// Each of the first list with each of the second and so on; the last changes fastest.
  private static func product(of sources: [[ArraySlice<UInt8>]], count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var indices = [Int](repeating: 0, count: sources.count)
    for _ in 0..<count {
      for (source, index) in zip(sources, indices) {
        bytes += source[index]
        bytes.append(0)
      }
      for place in indices.indices.reversed() {
        indices[place] += 1
        if indices[place] < sources[place].count { break }
        indices[place] = 0
      }
    }
    return bytes
  }
}
