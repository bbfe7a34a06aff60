import JobClient
import JobCore
import JobWire

// The flags that shape a submission: how they are called, and what each makes of it.

extension Flag {
  /// Those of `submit` and `run`, in the order of the help.
  static let ofSubmissions: [Flag] = [
    .title, .subtitle, .strategy, .require, .detach, .ifExists, .onStall, .stallAfter,
    .silentAfter, .grace, .limit, .notBefore, .onEnd, .bell, .after, .afterAny, .priority, .hold,
    .group, .on, .retries, .stdin, .hideCommand, .follow, .plain, .quiet, .id, .json,
  ]

  private static let usual = Submission.Options(speaksPage: true)

  static let title = Flag("title", .text("TEXT"), "what the job is called, at most 253 bytes")
  static let subtitle = Flag("subtitle", .text("TEXT"), "what it does at the moment")
  static let strategy = Flag(
    "strategy", .choice(Submission.Strategy.allCases.map { $0.rawValue }),
    "if it cannot start now: wait in the queue (default), or fail with 75")
  static let require = Flag(
    "require", .requirements,
    "what the machine must have; also cpu=4, disk=10G, gpu-memory=8G; separate several with commas;"
      + " GPUs and memory are reserved")
  static let detach = Flag("detach", .none, "return at once; the job runs in the background")
  static let ifExists = Flag(
    "if-exists", .choice(["keep", "replace"]),
    "if a job with this identifier is live: keep that one, or replace it (default: refuse, 73)")
  static let onStall = Flag(
    "on-stall", .choice(Submission.OnStall.allCases.map { $0.rawValue }),
    "if it stops advancing: ask (default), continue, or stop it")
  static let stallAfter = Flag(
    "stall-after", .duration,
    "it counts as stalled after this long without progress"
      + " (\(DurationText.format(usual.stallAfter)))")
  static let silentAfter = Flag(
    "silent-after", .durationOrNever,
    "it expires after this long without a sign of life"
      + " (\(DurationText.format(Submission.Options.defaultSilence)); with run: never)")
  static let grace = Flag(
    "grace", .duration,
    "how long it has to stop before it is killed (\(DurationText.format(usual.grace)))")
  static let limit = Flag("limit", .duration, "the longest it may run (no limit)")
  static let notBefore = Flag(
    "not-before", .text("TIME"), "wait until then: 22:30, +2h, 2026-03-01T03:00:00Z")
  static let onEnd = Flag(
    "on-end", .text("COMMAND"), "run this with sh when the job has ended, however it ended")
  static let bell = Flag(
    "bell", .none, "ring the terminal's bell when it ends or asks a question")
  static let after = Flag(
    "after", .jobs,
    "start once these jobs have succeeded; if one does not, this one is refused (69)")
  static let afterAny = Flag(
    "after-any", .jobs, "start once these jobs have ended, however they ended")
  static let priority = Flag(
    "priority", .choice(Submission.Priority.allCases.map { $0.rawValue }),
    "which of those that wait goes first (default normal); low gives way to others while it runs, too"
  )
  static let on = Flag(
    "on", .text("ENGINE"),
    "run it on this engine of config.json; here = on this machine (jobrun engines)")
  static let hold = Flag("hold", .none, "do not start it before jobrun release")
  static let retries = Flag(
    "retries", .text("N[:DELAY]"),
    "if it fails, try again up to N times: after 1 s, 2 s, 4 s …, or always after DELAY")
  static let group = Flag(
    "group", .text("NAME"), "it shares the slots of this group (jobrun group NAME --slots N)")
  static let stdin = Flag(
    "stdin", .text("FILE|none|-"),
    "what the job reads: this file, nothing, or what is piped in here (-)")
  static let hideCommand = Flag(
    "hide-command", .none, "the command is a secret: show it nowhere, not even as the title")
}

extension SubmitRequest {
  /// What the flags ask for, on top of what is there.
  mutating func apply(_ invocation: Invocation) throws(WireError) {
    if let title = invocation.text(.title) { self.title = title }
    if let subtitle = invocation.text(.subtitle) { self.subtitle = subtitle }
    details.onEnd = try Self.endCommand(invocation)
    if let text = invocation.text(.retries) {
      (options.retries, options.retryDelay) = try Self.retries(text)
    }
    if let text = invocation.text(.group) { options.group = try GroupName(checking: text) }
    details.hidesCommand = invocation.isSet(.hideCommand)
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
    if let onStall: Submission.OnStall = invocation.choice(.onStall) {
      options.onStall = onStall
    }
    if let asked = invocation.requirements(.require) { options.requirements.add(asked) }
    if let span = invocation.duration(.stallAfter) { options.stallAfter = span }
    if let span = invocation.duration(.grace) { options.grace = span }
    if let span = invocation.duration(.limit) { options.limit = span }
    if let span = invocation.duration(.silentAfter) { options.silentAfter = span }
    if invocation.values[.silentAfter] == .never { options.silentAfter = nil }
    for flag in [Flag.earliest, .notBefore] where !invocation.isSet(.every) {
      guard let text = invocation.text(flag) else { continue }
      notBefore = try TimeText.parse(text, now: Moment.present.wall, flag: flag)
    }
  }

  private static func endCommand(_ invocation: Invocation) throws(WireError) -> String? {
    guard let command = invocation.text(.onEnd) else { return nil }
    if let problem = EndCommandSettings.problem(in: command) {
      throw WireError(.usage, "\(Flag.onEnd.spelling) \(problem)")
    }
    return command
  }

  /// `3`, or `3:10s`.
  private static func retries(
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
  /// What was asked for beside these; a number that is given replaces the one that was there.
  fileprivate mutating func add(_ other: Requirements) {
    if other.gpuCount > 0 { gpuCount = other.gpuCount }
    if other.gpuMemoryBytes > 0 { gpuMemoryBytes = other.gpuMemoryBytes }
    if other.processors > 0 { processors = other.processors }
    if other.memoryBytes > 0 { memoryBytes = other.memoryBytes }
    if other.diskBytes > 0 { diskBytes = other.diskBytes }
    network = network || other.network
    power = power || other.power
  }
}
