import Foundation
import JobCore
import JobStore
import JobWire

/// Records with every field set to something that no default is.
enum StoredJobs {
  static func submission(key: String, identifier: String) -> Submission {
    guard let identifier = JobIdentifier(identifier) else {
      preconditionFailure("the test's identifier \(identifier) is malformed")
    }
    return Submission(key: key, identifier: identifier, speaksPage: true)
  }

  /// The store as a crash of its process would leave it.
  static func copy(of path: String) throws -> Store {
    let copy = path + ".copy"
    for file in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + file, toPath: copy + file)
    }
    return try Store(path: copy)
  }

  /// A queued job with only the required properties.
  static func plain(_ number: UInt64, identifier: String? = nil) -> JobRecord {
    JobRecord(
      number: JobNumber(number),
      submission: submission(
        key: "key\(number)abcdefghijklmnop", identifier: identifier ?? "io.jobrun.test.n\(number)"),
      title: "Job \(number)", submittedMilliseconds: 1_700_000_000_000 + Int64(number))
  }

  static func ended(_ number: UInt64, at milliseconds: Int64) -> JobRecord {
    var row = plain(number)
    row.state = .ended(.succeeded, nil)
    row.exitCode = 0
    row.endedMilliseconds = milliseconds
    return row
  }

  static func full(_ number: UInt64) -> JobRecord {
    var submission = submission(key: "fullKey\(number)abcdef", identifier: "io.jobrun.test.full")
    submission.options.strategy = .fail
    submission.options.ifExists = .replace
    submission.options.onStall = .continue
    submission.options.stallAfter = .milliseconds(1500)
    submission.options.silentAfter = .minutes(2)
    submission.options.grace = .seconds(5)
    submission.options.limit = .milliseconds(.max / 1_000_000)
    submission.options.resumable = true
    submission.options.retries = 3
    submission.options.requirements = requirements
    var row = JobRecord(
      number: JobNumber(number), submission: submission, title: "Reise „2026“ ✈",
      submittedMilliseconds: 1_772_368_496_789)
    row.definition = "export"
    row.subtitle = "a\nb\u{0}c"
    fillState(of: &row)
    return row
  }

  /// A request that waits for its time.
  static func scheduled(_ number: UInt64) -> JobRecord {
    var row = plain(number, identifier: "io.jobrun.test.nightly")
    row.details.onEnd = "mail -s \"$JOBRUN_TITLE\" me < /dev/null\n"
    row.submission.options.kind = .processing
    row.submission.bundle = JobIdentifier("io.jobrun.test")
    row.submission.notBefore = WallTime(milliseconds: 1_772_368_600_000)
    row.submission.options.observation.recognition = .pattern("([0-9]+) / ([0-9]+)")
    row.submission.options.observation.terminal = .usual
    row.submission.options.observation.canStall = true
    row.submission.after = [Prerequisite(JobNumber(3)), Prerequisite(JobNumber(12), anyEnd: true)]
    row.submission.options.retryDelay = .milliseconds(7_500)
    row.submission.options.priority = .low
    row.submission.isHeld = true
    row.submission.seat = -5
    row.details.executed = ExecutedCommand(
      directory: Array("/w".utf8), arguments: ["sh", "-c", ""].map { Array($0.utf8) })
    row.details.logLimit = 1 << 20
    row.progress = JobProgress(
      completed: 7, total: 0, unit: .share, source: .output, recogniser: "rsync")
    return row
  }

  private static var requirements: Requirements {
    var requirements = Requirements()
    requirements.gpuCount = 2
    requirements.gpuMemoryBytes = 8 << 30
    requirements.processors = 4
    requirements.memoryBytes = .max
    requirements.diskBytes = 10 << 30
    requirements.network = true
    requirements.power = true
    return requirements
  }

  private static func fillState(of row: inout JobRecord) {
    row.state = .ended(.expired, StopReason(.silent, "it gave no sign of life for 2m"))
    row.message = ""
    row.warning = "its page makes no sense"
    row.attempt = 2
    row.exitCode = 255
    row.signal = 9
    row.pid = 4_194_303
    row.progress = JobProgress(
      completed: .max, total: .max - 1, unit: .bytes, source: .page)
    row.gpus = ["GPU-8c18f1a2", "GPU-00000000"]
    row.startedMilliseconds = -1
    row.endedMilliseconds = 1_772_368_499_000
    row.use.cpuMicroseconds = 1_234_567
    row.use.maxResidentBytes = 9 << 30
    (row.use.bytesRead, row.use.bytesWritten) = (4_096, 512)
    (row.use.processorMillijoules, row.use.gpuMillijoules) = (7_250, 1_200_000)
    row.failures = 2
    row.spent = Interval(nanoseconds: 3_000_000_007)
    row.runningSince = Instant(nanoseconds: 98_765_432_109)
    row.stallTimeout = .seconds(240)
    row.paused = Interval(nanoseconds: 4_000_000_003)
    row.pauseMark = 7
    row.pausedMilliseconds = 1_772_368_498_000
    row.pausedFor = .milliseconds(5_001)
    row.quietUntil = Instant(nanoseconds: .max)
    row.quietExtension = Interval(nanoseconds: 6_000_000_001)
  }

  /// A job in each state, with all that belongs to it.
  static var states: [JobRecord] {
    let instant = Instant(nanoseconds: 98_765_432_110)
    var pause = Pause(since: instant, stalledSince: instant, keepsSlot: true, until: instant)
    pause.waits = PendingReason(.slots, "it waits for a slot to resume")
    let states: [JobState] = [
      .accepted, .launching, .running, .stalled(since: instant), .paused(Pause(since: instant)),
      .paused(pause),
      .stopping(StopReason(.user, "it was cancelled"), deadline: Instant(nanoseconds: .max)),
      .ended(.succeeded, nil), .ended(.expired, StopReason(.silent, "it gave no sign of life")),
    ]
    var rows = states.enumerated().map { index, state in
      var row = plain(UInt64(index + 1))
      row.state = state
      return row
    }
    rows.append(plain(UInt64(rows.count + 1)))
    let last = rows.count - 1
    rows[last].state = .queued(
      PendingReason(.retry, "attempt 1 failed; the next one of 4 follows after 1 s"))
    rows[last].delay = JobRecord.Delay(
      until: Instant(nanoseconds: .max), untilMilliseconds: 1_772_368_500_000)
    return rows
  }
}
