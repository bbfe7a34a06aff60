package import JobCore

/// What was asked of a job that is neither the core's to decide nor among the words that are shown: the
/// runner carries it out.
///
/// One value on its way through request, launch order, store and live job: what is added here is known in
/// all of them.
package struct JobDetails: Hashable, Sendable {
  /// Nil if unknown: for jobs of older versions, and for those that a process hosts.
  package var executed: ExecutedCommand?
  /// The program as it was typed, which is shown in place of its path; nil = as it is executed.
  package var typed: String?
  /// The command is a secret and is not shown.
  package var hidesCommand = false
  /// Run with `sh -c` once it has ended; nil = nothing.
  package var onEnd: String?
  package var input = JobInput.none
  /// Largest log, in bytes; nil = what the settings say.
  package var logLimit: UInt64?
  /// It comes back; nil = once.
  package var recurrence: Recurrence?
  /// PYTHONUNBUFFERED=1 is added to its environment, which does not have it.
  package var unbuffersPython = false
  /// How the limits, the scheduling and the processors of its submitter differ from the usual, a text each.
  package var limits: [String] = []
  /// Of a push: how many it stands for, itself among them; 0 = it is none.
  package var pushes: UInt32 = 0

  package init() {}

  /// What it executes as its submitter wrote it; nil when that is not known or not to be shown.
  package var shownCommand: [String]? {
    guard let command = executed?.command, let typed, !hidesCommand else {
      return executed?.command
    }
    return [typed] + command.dropFirst()
  }

  /// Python holds back what it prints to a file until it ends, so that nobody sees how far it is.
  package static let unbuffered = (name: "PYTHONUNBUFFERED", value: "1")

  /// What is added to the environment of the worker, as `NAME=VALUE`.
  package var environment: [String] {
    (unbuffersPython ? ["\(Self.unbuffered.name)=\(Self.unbuffered.value)"] : [])
      + (pushes > 0 ? ["\(PushContent.countVariable)=\(pushes)"] : [])
  }

  /// - Throws: `usage`, with a sentence about the first thing that is wrong.
  func check() throws(WireError) {
    if let problem = onEnd.flatMap(EndCommandSettings.problem) {
      throw WireError(.usage, "the on-end command \(problem)")
    }
    if let every = recurrence?.every {
      try every.check("every")
      guard every >= Recurrence.shortest else {
        throw WireError(
          .usage, "every \(DurationText.format(every)) is too often; 1m is the shortest")
      }
    }
    if let minute = recurrence?.minuteOfDay, !(0..<1440).contains(minute) {
      throw WireError(.usage, "\(minute) is not a minute of the day; it must be 0 to 1439")
    }
    if case .file(let path) = input, path.utf8.first != UInt8(ascii: "/") {
      throw WireError(.usage, "the input \(path.quoted) is not an absolute path")
    }
    guard let limit = logLimit, limit < Limits.minimumLogBytes else { return }
    throw WireError(
      .usage,
      "the log limit is \(limit) bytes; \(ByteText.formatExactly(Limits.minimumLogBytes)) is the minimum"
    )
  }

  init(_ fields: JSONFields) throws(WireError) {
    if let text = try fields.optionalString("directory") {
      executed = ExecutedCommand(
        directory: Array(text.utf8),
        arguments: try fields.strings("command").map { Array($0.utf8) })
    }
    typed = try fields.optionalString("typed")
    hidesCommand = try fields.optionalBool("hidden") ?? false
    input = try JobInput(fields)
    logLimit = try fields.optionalNumber("logLimit")
    if let every = try fields.optionalNumber("everyMs", as: UInt64.self) {
      recurrence = Recurrence(
        every: .milliseconds(every), minuteOfDay: try fields.optionalNumber("atMinute"))
    }
    unbuffersPython = try fields.optionalBool("unbuffersPython") ?? false
    limits = try fields.strings("limits")
    pushes = try fields.optionalNumber("pushes") ?? 0
  }
}

extension JobInput {
  fileprivate init(_ fields: JSONFields) throws(WireError) {
    switch try fields.optionalString("input") {
    case nil: self = .none
    case "passed": self = .passed
    case "copied": self = .copied(bytes: try fields.optionalNumber("inputBytes") ?? 0)
    case "file": self = .file(try fields.string("inputFile"))
    case .some(let other):
      throw WireError(.usage, "the input is \(other.quoted); it must be passed, copied or file")
    }
  }
}

extension JSONWriter {
  /// Only what differs from the defaults, without what has a field of its own beside it.
  mutating func value(_ details: JobDetails) {
    beginObject()
    if let executed = details.executed {
      field("directory", executed.directory)
      if let command = executed.command { field("command", command) }
    }
    if let typed = details.typed { field("typed", typed) }
    if details.hidesCommand { field("hidden", true) }
    input(details.input)
    if let limit = details.logLimit { field("logLimit", limit) }
    if let recurrence = details.recurrence {
      field("everyMs", recurrence.every.milliseconds)
      if let minute = recurrence.minuteOfDay { field("atMinute", minute) }
    }
    if details.unbuffersPython { field("unbuffersPython", true) }
    if !details.limits.isEmpty { field("limits", details.limits) }
    if details.pushes > 0 { field("pushes", details.pushes) }
    endObject()
  }

  private mutating func input(_ input: JobInput) {
    switch input {
    case .none: break
    case .passed: field("input", "passed")
    case .copied(let bytes):
      field("input", "copied")
      field("inputBytes", bytes)
    case .file(let path):
      field("input", "file")
      field("inputFile", path)
    }
  }
}
