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
  package var input = JobInput.none
  /// Largest log, in bytes; nil = what the settings say.
  package var logLimit: UInt64?
  /// PYTHONUNBUFFERED=1 is added to its environment, which does not have it.
  package var unbuffersPython = false
  /// How the limits, the scheduling and the processors of its submitter differ from the usual, a text each.
  package var limits: [String] = []
  /// Its log is removed when it has succeeded.
  package var logsOnlyFailure = false
  /// It is forgotten when it has succeeded.
  package var forgetsOnSuccess = false
  /// What its worker leaves behind is not ended with it.
  package var keepsBackground = false
  /// Of a push: how many it stands for, itself among them; 0 = it is none.
  package var pushes: UInt32 = 0

  private var rareDetails: Boxed<RareDetails>?

  package init() {}

  /// What it executes as its submitter wrote it; nil when that is not known or not to be shown.
  package var shownCommand: [String]? {
    guard let command = executed?.command, let typed, !hidesCommand else {
      return executed?.command
    }
    return [typed] + command.dropFirst()
  }

  /// Python holds back what it prints to a file until it ends, so that its progress is not seen.
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
    if let problem = before.flatMap(EndCommandSettings.problem) {
      throw WireError(.usage, "the command before the job \(problem)")
    }
    if memoryGrowth > 0, !Self.memoryGrowths.contains(memoryGrowth) {
      throw WireError(
        .usage, "a growth of memory to \(memoryGrowth) % is not possible; it must be 110 to 1000 %")
    }
    if !(0...64).contains(warnSignal) {
      throw WireError(.usage, "\(warnSignal) is not a signal; it must be 1 to 64")
    }
    for (name, paths) in [("send", send), ("fetch", fetch)] {
      for path in paths {
        guard let problem = SentPath.problem(path) else { continue }
        throw WireError(.usage, "\(name) has \(path.quoted), \(problem)")
      }
    }
    for (name, path) in [("stdout", stdout), ("stderr", stderr)] {
      if let path { try OutputPath.check(path, name) }
    }
    if case .file(let path) = input, path.utf8.first != UInt8(ascii: "/") {
      throw WireError(.usage, "the input \(path.quoted) is not an absolute path")
    }
    if input == .terminal, stdout != nil || stderr != nil {
      throw WireError(
        .usage,
        "the output of a job with -i goes to your terminal; leave out --stdout and --stderr")
    }
    if let path = unlessLocked, path.utf8.first != UInt8(ascii: "/") {
      throw WireError(.usage, "the lock \(path.quoted) is not an absolute path")
    }
    guard let limit = logLimit, limit < Limits.minimumLogBytes else { return }
    throw WireError(
      .usage,
      "the log limit is \(limit) bytes; \(BinarySize.formatExactly(Limits.minimumLogBytes)) is the minimum"
    )
  }
}

// What few jobs have is boxed: a hundred thousand jobs may wait.
extension JobDetails {
  private struct RareDetails: Hashable {
    var onEnd: String?
    var recurrence: Recurrence?
    var stdout: String?
    var stderr: String?
    var unlessLocked: String?
    var variables: [String] = []
    var before: String?
    var wrap: [String] = []
    var partition: String?
    var engineOptions: [String] = []
    var send: [String] = []
    var fetch: [String] = []
    var memoryGrowth: UInt32 = 0
    var memoryBytes: UInt64?
    var warnMilliseconds: UInt64?
    var warnSignal: Int32 = 0
  }

  private var rare: RareDetails {
    get { rareDetails?.value ?? RareDetails() }
    set { rareDetails = newValue == RareDetails() ? nil : Boxed(newValue) }
  }

  /// Run with `sh -c` once it has ended; nil = nothing.
  package var onEnd: String? {
    get { rare.onEnd }
    set { rare.onEnd = newValue }
  }

  /// It comes back; nil = once.
  package var recurrence: Recurrence? {
    get { rare.recurrence }
    set { rare.recurrence = newValue }
  }

  /// The file that its output goes to in place of its log, with `OutputPath`'s placeholders; nil = the log.
  package var stdout: String? {
    get { rare.stdout }
    set { rare.stdout = newValue }
  }

  /// The same of its errors.
  package var stderr: String? {
    get { rare.stderr }
    set { rare.stderr = newValue }
  }

  /// The names of the variables that its submitter set for it; their values are in the launch specification only.
  package var variables: [String] {
    get { rare.variables }
    set { rare.variables = newValue }
  }

  /// For a shell that becomes the job once this has succeeded; nil = nothing.
  package var before: String? {
    get { rare.before }
    set { rare.before = newValue }
  }

  /// The command that runs the job's command, with its arguments.
  package var wrap: [String] {
    get { rare.wrap }
    set { rare.wrap = newValue }
  }

  /// The partition or queue of its engine; nil = what the settings say.
  package var partition: String? {
    get { rare.partition }
    set { rare.partition = newValue }
  }

  /// Further options of the command by which its engine submits it.
  package var engineOptions: [String] {
    get { rare.engineOptions }
    set { rare.engineOptions = newValue }
  }

  /// Files and folders that are copied to its machine before each attempt, as `SentPath` has them.
  package var send: [String] {
    get { rare.send }
    set { rare.send = newValue }
  }

  /// Those that are copied from there once it has succeeded.
  package var fetch: [String] {
    get { rare.fetch }
    set { rare.fetch = newValue }
  }

  package var movesFiles: Bool { !send.isEmpty || !fetch.isEmpty }

  /// Percent of its last memory that an attempt requests after one that ran out of it; 0 = as before.
  package var memoryGrowth: UInt32 {
    get { rare.memoryGrowth }
    set { rare.memoryGrowth = newValue }
  }

  /// The memory that its next attempt requests, in bytes; nil = what it requires.
  package var memoryBytes: UInt64? {
    get { rare.memoryBytes }
    set { rare.memoryBytes = newValue }
  }

  /// Its next attempt requests more memory than this one, which ran out of it.
  package mutating func growMemory(from required: UInt64) {
    let last = memoryBytes ?? required
    guard memoryGrowth > 0, last > 0 else { return }
    let (grown, isTooMuch) = last.multipliedReportingOverflow(by: UInt64(memoryGrowth))
    memoryBytes = isTooMuch ? last : grown / 100
  }

  /// How long before its limit its worker gets a signal; nil = never.
  package var warnMilliseconds: UInt64? {
    get { rare.warnMilliseconds }
    set { rare.warnMilliseconds = newValue }
  }

  /// The number of that signal; 0 = SIGUSR1.
  package var warnSignal: Int32 {
    get { rare.warnSignal }
    set { rare.warnSignal = newValue }
  }

  /// 1.1 to 10 times, in percent.
  package static let memoryGrowths: ClosedRange<UInt32> = 110...1_000

  /// A file: while another process has locked it (flock(2)) the job is not started, but succeeds at once.
  package var unlessLocked: String? {
    get { rare.unlessLocked }
    set { rare.unlessLocked = newValue }
  }
}

extension JobDetails: Coded {
  /// Only what differs from the defaults, without what has a field of its own beside it.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    var rare = rare
    let directory = try coder.coded(executed?.directory, "directory")
    let command = try coder.coded(executed?.command, "command")
    if coder.isReading, let directory {
      executed = ExecutedCommand(
        directory: Array(directory.utf8), arguments: (command ?? []).map { Array($0.utf8) })
    }
    try coder.code(&typed, "typed")
    try coder.code(&hidesCommand, "hidden", usual: false)
    try input.code(with: &coder)
    try coder.code(&logLimit, "logLimit")
    let every = try coder.coded(rare.recurrence?.every.milliseconds, "everyMs")
    let minute = try coder.coded(rare.recurrence?.minuteOfDay, "atMinute")
    let days = try coder.coded(rare.recurrence?.days, "onDays")
    rare.recurrence = every.map {
      Recurrence(every: .milliseconds($0), minuteOfDay: minute, days: days)
    }
    try coder.code(&unbuffersPython, "unbuffersPython", usual: false)
    try coder.code(&limits, "limits", usual: [])
    try coder.code(&pushes, "pushes", usual: 0)
    try coder.code(&rare.unlessLocked, "unlessLocked")
    try coder.code(&rare.stdout, "stdout")
    try coder.code(&rare.stderr, "stderr")
    try coder.code(&logsOnlyFailure, "logsOnlyFailure", usual: false)
    try coder.code(&forgetsOnSuccess, "forgetsOnSuccess", usual: false)
    try coder.code(&keepsBackground, "keepsBackground", usual: false)
    try coder.code(&rare.variables, "variables", usual: [])
    try coder.code(&rare.before, "before")
    try coder.code(&rare.wrap, "wrap", usual: [])
    try coder.code(&rare.partition, "partition")
    try coder.code(&rare.engineOptions, "engineOptions", usual: [])
    try coder.code(&rare.send, "send", usual: [])
    try coder.code(&rare.fetch, "fetch", usual: [])
    try coder.code(&rare.memoryGrowth, "memoryGrowth", usual: 0)
    try coder.code(&rare.memoryBytes, "memory")
    try coder.code(&rare.warnMilliseconds, "warnMs")
    try coder.code(&rare.warnSignal, "warnSignal", usual: 0)
    if coder.isReading { self.rare = rare }
  }
}

extension JobInput {
  private enum Kind: String, CaseIterable, FieldValue {
    case passed, copied, file, terminal
  }

  private var kind: Kind? {
    switch self {
    case .none: nil
    case .passed: .passed
    case .copied: .copied
    case .file: .file
    case .terminal: .terminal
    }
  }

  /// Its fields among those of the details.
  fileprivate mutating func code<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) {
    switch try coder.coded(kind, "input") {
    case nil: self = .none
    case .passed: self = .passed
    case .copied:
      var bytes: UInt64 = if case .copied(let bytes) = self { bytes } else { 0 }
      try coder.codeAlways(&bytes, "inputBytes")
      self = .copied(bytes: bytes)
    case .file:
      let path = if case .file(let path) = self { path } else { "" }
      self = .file(try coder.coded(path, "inputFile"))
    case .terminal: self = .terminal
    }
  }
}
