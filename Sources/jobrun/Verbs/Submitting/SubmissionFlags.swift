import JobClient
import JobCore
import JobWire

// The flags of a submission: their names, and their effects.

extension Flag {
  /// The flags of `submit` and `run`, in the order of the help.
  static let ofSubmissions: [Flag] = [
    .title, .subtitle, .strategy, .require, .detach, .ifExists, .onStall, .stallAfter, .onSlow,
    .silentAfter, .grace, .limit, .warn, .warnSignal, .notBefore, .onEnd, .bell, .after, .afterAny,
    .afterOne,
    .priority,
    .hold, .group, .jobSlots, .exclusive, .on, .partition, .engineOption, .send,
    .fetch, .retries, .retryOn,
    .retryMemory, .before, .cwd, .env, .stdin, .stdout, .stderr,
    .keptLog, .hideCommand, .keepBackground, .forgetOnSuccess, .follow, .plain, .quiet, .id, .json,
  ]

  private static let usual = Submission.Options(speaksPage: true)

  static let title = Flag("title", .text("TEXT"), "title of the job, at most 253 bytes")
  static let subtitle = Flag("subtitle", .text("TEXT"), "current step of the job")
  static let strategy = Flag(
    "strategy", .choice(Submission.Strategy.allCases.map { $0.rawValue }),
    "if the job cannot start now: wait in the queue (default), or fail with 75")
  static let require = Flag(
    "require", .requirements,
    "required resources, separated by commas; also cpu=4, disk=10G, gpu-memory=8G, with"
      + " Slurm nodes=2 and tasks=8, and those of \"resources\" in config.json (licence=1); GPUs, memory,"
      + " processors and the last are reserved"
  )
  static let detach = Flag("detach", .none, "return at once; the job runs in the background")
  static let ifExists = Flag(
    "if-exists", .choice(["keep", "replace"]),
    "if a job with this identifier is live: keep or replace it (default: refuse, 73)")
  static let onStall = Flag(
    "on-stall", .text("ask|continue|stop[:TIME]"),
    "if the job stalls: ask (default), continue, or stop it; stop:1h asks, and stops it"
      + " after an hour without an answer"
  )
  static let onSlow = Flag(
    "on-slow", .choice(Submission.OnSlow.allCases.map { $0.rawValue }),
    "if the job takes more than four times as long as expected: ask (default), or ignore that")
  static let stallAfter = Flag(
    "stall-after", .duration,
    "time without progress after which the job has stalled (\(DurationText.format(usual.stallAfter)))"
  )
  static let silentAfter = Flag(
    "silent-after", .durationOrNever,
    "time without a sign of life after which the job expires"
      + " (\(DurationText.format(Submission.Options.defaultSilence)); with run: never)"
  )
  static let grace = Flag(
    "grace", .duration,
    "time between the request to stop and the kill (\(DurationText.format(usual.grace)))")
  static let limit = Flag("limit", .duration, "maximum running time (default: none)")
  static let notBefore = Flag(
    "not-before", .text("TIME"),
    "earliest start: 22:30, +2h, tomorrow 8:00, monday 9:00, 2027-02-01 08:00")
  static let onEnd = Flag(
    "on-end", .text("COMMAND"), "run this with sh when the job has ended, with any outcome")
  static let bell = Flag(
    "bell", .none, "ring the terminal's bell when the job ends or asks a question")
  static let after = Flag(
    "after", .jobs,
    "start once these jobs have succeeded (12, 7-9, group:NAME); if one does not, this one is refused"
      + " (69)")
  static let afterAny = Flag(
    "after-any", .jobs, "start once these jobs have ended, with any outcome")
  static let priority = Flag(
    "priority", .choice(Submission.Priority.allCases.map { $0.rawValue }),
    "priority among waiting jobs (default normal); low also yields to others while it runs"
  )
  static let on = Flag(
    "on", .text("ENGINE"),
    "run the job on this engine of config.json (jobrun engines); here is this machine")
  static let hold = Flag("hold", .none, "keep the job from starting until jobrun release")
  static let retries = Flag(
    "retries", .text("N[:DELAY]"),
    "retry a failed job up to N times: after 1 s, 2 s, 4 s …, or always after DELAY")
  static let group = Flag(
    "group", .text("NAME"), "use the slots of this group (jobrun group NAME --slots N)")
  static let stdin = Flag(
    "stdin", .text("FILE|none|-"),
    "input of the job: this file, nothing, or the standard input of this command (-)")
  static let hideCommand = Flag(
    "hide-command", .none, "keep the command secret: show it nowhere, not even as the title")
}

extension SubmitRequest {
  /// Applies the flags to the request.
  mutating func apply(_ invocation: Invocation) throws(WireError) {
    if let title = invocation.text(.title) { self.title = title }
    if let subtitle = invocation.text(.subtitle) { self.subtitle = subtitle }
    details.onEnd = try Self.endCommand(invocation)
    if let text = invocation.text(.retries) {
      (options.retries, options.retryDelay) = try Self.retries(text)
    }
    if invocation.text(.retryOn) == "failed,expired" { options.retriesExpired = true }
    if let count = invocation.count(.jobSlots) {
      options.slots = try Self.slots(count, .jobSlots)
    }
    options.isExclusive = invocation.isSet(.exclusive)
    if let text = invocation.text(.group) { options.group = try GroupName(checking: text) }
    if let command = invocation.text(.before) { details.before = command }
    if let text = invocation.text(.retryMemory) {
      details.memoryGrowth = try Self.growth(text, options)
    }
    details.partition = invocation.text(.partition)
    details.engineOptions = invocation.words(.engineOption)
    details.hidesCommand = invocation.isSet(.hideCommand)
    details.variables = Self.names(of: invocation.words(.env))
    details.keepsBackground = invocation.isSet(.keepBackground)
    details.forgetsOnSuccess = invocation.isSet(.forgetOnSuccess)
    if let strategy: Submission.Strategy = invocation.choice(.strategy) {
      options.strategy = strategy
    }
    if let ifExists: Submission.IfExists = invocation.choice(.ifExists) {
      options.ifExists = ifExists
    }
    if let priority: Submission.Priority = invocation.choice(.priority) {
      options.priority = priority
    }
    if let engine = invocation.text(.on) { options.engine = engine }
    isHeld = invocation.isSet(.hold)
    if let text = invocation.text(.onStall) {
      (options.onStall, options.answerWithin) = try Self.onStall(text)
    }
    if let onSlow: Submission.OnSlow = invocation.choice(.onSlow) { options.onSlow = onSlow }
    if let asked = invocation.requirements(.require) { options.requirements.add(asked) }
    if let span = invocation.duration(.stallAfter) { options.stallAfter = span }
    if let span = invocation.duration(.grace) { options.grace = span }
    if let span = invocation.duration(.limit) { options.limit = span }
    details.warnMilliseconds = invocation.duration(.warn)?.milliseconds
    if let text = invocation.text(.warnSignal) {
      details.warnSignal = try CancelOptions.number(text, .warnSignal)
    }
    if let span = invocation.duration(.silentAfter) { options.silentAfter = span }
    if invocation.values[.silentAfter] == .never { options.silentAfter = nil }
    for flag in [Flag.earliest, .notBefore] where !invocation.isSet(.every) {
      guard let text = invocation.text(flag) else { continue }
      notBefore = try TimeText.parse(text, now: Moment.present.wall, flag: flag)
    }
  }

  /// The names in `NAME=VALUE`, each once.
  private static func names(of entries: [String]) -> [String] {
    var seen: Set<String> = []
    return entries.compactMap { $0.split(separator: "=").first.map(String.init) }
      .filter { seen.insert($0).inserted }
  }

  /// How many slots a flag asks for.
  static func slots(_ count: UInt64, _ flag: Flag) throws(WireError) -> Int {
    guard let slots = Int(exactly: count), (1...Limits.slots).contains(slots) else {
      throw WireError(
        .usage,
        "\(flag.spelling) is \(count); it must be a whole number from 1 to \(Limits.slots)")
    }
    return slots
  }

  private static func endCommand(_ invocation: Invocation) throws(WireError) -> String? {
    guard let command = invocation.text(.onEnd) else { return nil }
    if let problem = EndCommandSettings.problem(in: command) {
      throw WireError(.usage, "\(Flag.onEnd.spelling) \(problem)")
    }
    return command
  }

  /// `ask`, `continue`, `stop`, or `stop:1h`: ask, and stop it then.
  private static func onStall(
    _ text: String
  ) throws(WireError) -> (Submission.OnStall, answerWithin: Interval?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(parts.first ?? "")
    guard let onStall = Submission.OnStall(rawValue: word), parts.count == 1 || onStall == .stop
    else {
      throw WireError(
        .usage,
        "\(Flag.onStall.spelling) must be ask, continue or stop, or stop with a time, as in stop:1h;"
          + " \(text.quoted) is none of them")
    }
    guard parts.count == 2 else { return (onStall, nil) }
    do throws(WireError) {
      return (.ask, try DurationText.parse(String(parts[1])))
    } catch {
      throw WireError(error.code, "\(Flag.onStall.spelling): \(error.message)")
    }
  }

  /// `2x` or `1.5x`, in percent.
  private static func growth(
    _ text: String, _ options: Submission.Options
  ) throws(WireError) -> UInt32 {
    let digits = text.utf8.last == UInt8(ascii: "x") ? String(text.dropLast()) : text
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let tenths = parts.count == 2 ? UInt32(parts[1]).flatMap { $0 < 10 ? $0 : nil } : 0
    guard parts.count <= 2, let whole = UInt32(parts[0]), let tenths, whole <= 10,
      JobDetails.memoryGrowths.contains(whole * 100 + tenths * 10)
    else {
      throw WireError(
        .usage,
        "\(Flag.retryMemory.spelling) is \(text.quoted); it must be a factor from 1.1x to 10x, as in 2x"
      )
    }
    guard options.retries > 0 else {
      throw WireError(
        .usage, "\(Flag.retryMemory.spelling) needs \(Flag.retries.spelling), as in --retries 3")
    }
    return whole * 100 + tenths * 10
  }

  /// `3`, or `3:10s`.
  static func retries(
    _ text: String
  ) throws(WireError) -> (count: Int, delay: Interval?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let count = Int(first), (0...Limits.retries).contains(count)
    else {
      throw WireError(
        .usage,
        "\(Flag.retries.spelling) is \(text.quoted); it must be a number from 0 to"
          + " \(Limits.retries), optionally followed by a delay, as in 3:10s")
    }
    guard parts.count == 2 else { return (count, nil) }
    do throws(WireError) {
      return (count, try DurationText.parse(String(parts[1])))
    } catch {
      throw WireError(error.code, "\(Flag.retries.spelling): \(error.message)")
    }
  }
}

extension Requirements {
  /// Adds other requirements; a number that is given replaces the existing one.
  mutating func add(_ other: Requirements) {
    if other.gpuCount > 0 { gpuCount = other.gpuCount }
    if other.gpuMemoryBytes > 0 { gpuMemoryBytes = other.gpuMemoryBytes }
    if other.processors > 0 { processors = other.processors }
    counted.removeAll { mine in other.counted.contains { $0.name == mine.name } }
    counted = (counted + other.counted).sorted { $0.name < $1.name }
    if other.memoryBytes > 0 { memoryBytes = other.memoryBytes }
    if other.diskBytes > 0 { diskBytes = other.diskBytes }
    network = network || other.network
    power = power || other.power
    whenIdle = whenIdle || other.whenIdle
  }
}
