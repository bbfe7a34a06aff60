import JobCore
import JobStore
import JobWire
import LinuxSystem

/// A home with a queue and many jobs that have ended, and no runner.
struct Past {
  static let queued = 10_000
  /// One in this many has failed, and has a definition; the others are plain commands that succeeded.
  private static let rare = 10_000

  let bench: Workbench
  /// A job in the middle of the ended ones; the first job when none has ended.
  let middle: JobNumber

  /// Writes the history directly into the store: this many real jobs would take minutes.
  init(ended: Int) throws {
    bench = try Workbench(rounds: 1, historyCount: 1_000_000, in: Workbench.memory)
    middle = ended == 0 ? JobNumber(1) : Self.number(ended / 2)
    let channel = try bench.channel()
    _ = try channel.submit(["sleep", "100000"], count: 2)
    _ = try channel.submit(["true"], count: Self.queued)
    let event = try channel.show(JobNumber(1)).json
    let runner = try ProcessDescriptor(try bench.runner().pid)
    _ = try runner.signal(Signal.kill)
    _ = try Poll.wait(runner.number, .readable, until: AwakeClock.now() + 10_000_000_000)
    let store = try Store(path: bench.paths.database)
    let wall = WallClock.now()
    try store.begin(.normal)
    for index in 0..<ended {
      let row = try Self.row(index, at: wall)
      try store.insert(row, specification: [])
      _ = try store.append(
        eventAt: wall, number: row.number, kind: Announcement.Kind.ended.rawValue, job: event)
    }
    try store.commit()
  }

  private static func number(_ index: Int) -> JobNumber {
    JobNumber(UInt64(queued + 3 + index))
  }

  private static func row(_ index: Int, at wall: Int64) throws -> JobRecord {
    guard let identifier = JobIdentifier("io.jobrun.run.past\(index)") else {
      throw Fault("an identifier was refused")
    }
    let submission = Submission(
      key: RandomBytes.hexadecimal(count: 16), identifier: identifier, speaksPage: false)
    var row = JobRecord(
      number: number(index), submission: submission, title: "past \(index)",
      submittedMilliseconds: wall - 60_000)
    let isRare = index % rare == 0
    row.state = .ended(isRare ? .failed : .succeeded, nil)
    row.definition = isRare ? "nightly" : nil
    row.attempt = 1
    row.exitCode = isRare ? 1 : 0
    row.startedMilliseconds = wall - 50_000
    row.endedMilliseconds = wall - 40_000 + Int64(index / 10)
    return row
  }
}
