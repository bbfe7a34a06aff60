import JobCore
import JobWire

extension Flag {
  /// The flags of `each`, in the order of the help.
  static let ofBatches: [Flag] = [
    .title, .group, .batchSlots, .on, .partition, .engineOption, .send, .fetch, .detach,
    .halt, .maxFailures,
    .untilSuccess, .keepGoing,
    .delay, .null, .delimiter, .columns, .header, .dryRun, .resumeBatch, .requireInput, .require,
    .onStall,
    .stallAfter, .onSlow, .silentAfter, .grace, .limit, .warn, .warnSignal, .notBefore, .onEnd,
    .after, .afterAny,
    .afterOne,
    .priority, .hold, .retries, .retryOn, .retryMemory, .before, .cwd, .env, .stdin, .stdout,
    .stderr, .keptLog,
    .hideCommand, .keepBackground, .forgetOnSuccess, .followBatch, .noHeading, .tag, .plain, .quiet,
    .id, .json,
  ]

  static let followBatch = Flag(
    "follow", short: "f", .none,
    "print the output of each job when it and those before it have ended, in the order of the inputs"
  )
  static let halt = Flag(
    "halt", .wordOrNone(["now", "soon"]),
    "when a job fails, cancel all jobs that have not ended (now, the default), or only"
      + " waiting ones (soon), even if nobody is watching"
  )
  static let maxFailures = Flag(
    "max-failures", .text("N|N%"), "halt after this many failures instead of the first")
  static let untilSuccess = Flag(
    "until-success", .none, "halt after the first success; failures halt nothing")
  static let keepGoing = Flag(
    "keep-going", .none, "continue with the other jobs when one fails (default)")
  static let null = Flag(
    "null", short: "0", .none,
    "inputs end with NUL, as printed by find -print0")
  static let delimiter = Flag(
    "delimiter", .text("CHARACTER"), "inputs end with this character, which may be \\t or \\0")
  static let columns = Flag(
    "columns", .text("SEPARATOR"), "split each input at this text into {1}, {2}, …")
  static let header = Flag(
    "header", .none, "the first input of each list is its name, as in {name}")
  static let dryRun = Flag("dry-run", .none, "print the commands, and submit nothing")
  static let resumeBatch = Flag(
    "resume", .none,
    "skip inputs whose command has succeeded in this folder, is running or is waiting")
  static let requireInput = Flag("require-input", .none, "fail without inputs (64)")
}

extension Submission.Options {
  /// When the jobs of one submission end with some of them.
  mutating func takeHalt(_ invocation: Invocation, count: Int) throws(WireError) {
    let most = try invocation.text(.maxFailures).map { text throws(WireError) in
      try Self.failures(text, of: count)
    }
    haltsOnSuccess = invocation.isSet(.untilSuccess)
    halts = invocation.isSet(.halt) || most != nil || haltsOnSuccess
    haltsSoon = invocation.text(.halt) == "soon"
    haltAfter = most ?? 1
    let others = [Flag.halt, .maxFailures, .untilSuccess].filter(invocation.isSet)
    if let other = others.first, invocation.isSet(.keepGoing) {
      throw WireError(
        .usage, "\(other.spelling) and \(Flag.keepGoing.spelling) cannot be used together")
    }
    if haltsOnSuccess, most != nil {
      throw WireError(
        .usage,
        "\(Flag.maxFailures.spelling) and \(Flag.untilSuccess.spelling) cannot be used together")
    }
  }

  /// The pause of `--delay`: `2s`, or a number of seconds.
  mutating func takeDelay(_ invocation: Invocation) throws(WireError) {
    guard let text = invocation.text(.delay) else { return }
    let isNumber = text.last.map { "0123456789".contains($0) } ?? false && !text.contains(":")
    do throws(WireError) {
      let span = try DurationText.parse(isNumber ? "\(text)s" : text)
      startsApart = span == .zero ? nil : span
    } catch {
      throw WireError(error.code, "\(Flag.delay.spelling): \(error.message)")
    }
  }

  /// `3`, or `10%` of all jobs, rounded up.
  private static func failures(_ text: String, of count: Int) throws(WireError) -> Int {
    let isShare = text.hasSuffix("%")
    if let number = Int(isShare ? String(text.dropLast()) : text), number > 0,
      number <= (isShare ? 100 : Limits.jobsAtOnce)
    {
      return isShare ? max(1, (number * count + 99) / 100) : number
    }
    throw WireError(
      .usage,
      "\(Flag.maxFailures.spelling) is \(text.quoted); it must be a number from 1, or a share such as 10%"
    )
  }
}

extension BatchInputs.Format {
  init(_ invocation: Invocation) throws(WireError) {
    if invocation.isSet(.null) { end = 0 }
    if let text = invocation.text(.delimiter) {
      if invocation.isSet(.null) {
        throw WireError(
          .usage, "\(Flag.null.spelling) and \(Flag.delimiter.spelling) cannot be used together")
      }
      let bytes = Array(Self.unescaped(text).utf8)
      guard bytes.count == 1 else {
        throw WireError(
          .usage,
          "\(Flag.delimiter.spelling) is \(text.quoted); it must be one character, such as , or \\t"
        )
      }
      end = bytes[0]
    }
    if let text = invocation.text(.columns) {
      guard !text.isEmpty else {
        throw WireError(
          .usage, "\(Flag.columns.spelling) is empty; write the text between two columns")
      }
      columns = Array(Self.unescaped(text).utf8)
    }
    hasHeader = invocation.isSet(.header)
  }

  private static func unescaped(_ text: String) -> String {
    switch text {
    case "\\t": "\t"
    case "\\n": "\n"
    case "\\0": "\0"
    default: text
    }
  }
}
