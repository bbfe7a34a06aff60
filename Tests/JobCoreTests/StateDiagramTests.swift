import JobCore
import SimulatedWorld
import TestKit
import Testing

/// The table of states in `ARCHITECTURE.md` lists exactly the transitions of jobs.
struct StateDiagramTests {
  @Test func `random lives take every way that is shown, and no other`() throws {
    let rows = try Document("Sources/ARCHITECTURE.md").table(below: "| state | exits")
    let shown = rows.reduce(into: Set<String>()) { ways, row in
      ways.formUnion(Document.code(in: row[1]).map { "\(row[0]) → \($0)" })
    }
    var taken: Set<String> = []
    for seed in UInt64(0)..<200 {
      var run = RandomRun(seed: seed)
      run.isChecked = false
      _ = run.live(steps: 100)
      taken.formUnion(ways(in: run))
    }
    taken.formUnion(try ways(in: lateEnd()))
    #expect(taken.subtracting(shown).sorted() == [], "taken and not shown")
    #expect(shown.subtracting(taken).sorted() == [], "shown and not taken")
  }

  /// A worker fails and should be retried; before its end is reported, the job is cancelled.
  private func lateEnd() throws -> RandomRun {
    var run = RandomRun(seed: 0)
    var submission = Submission(
      key: "0123456789abcdef", identifier: try #require(JobIdentifier("org.example.late")),
      speaksPage: false)
    submission.options.retries = 1
    let number = run.core.nextNumber
    run.tell(.submit(RequestTag(1), submission))
    run.tell(.started(number, attempt: 1))
    var end = RunEnd(status: .exited(1))
    end.endedAt = run.now
    run.now = run.now + .seconds(1)
    run.tell(.cancel(RequestTag(2), number, now: false))
    run.tell(.finished(number, attempt: 1, end))
    return run
  }

  private func ways(in run: RandomRun) -> Set<String> {
    var ways: Set<String> = []
    var states: [JobNumber: String] = [:]
    for case .announce(let number, let announcement) in run.history.flatMap(\.effects) {
      let state = name(of: announcement.state)
      if let before = states.updateValue(state, forKey: number), before != state {
        ways.insert("\(before) → \(state)")
      }
    }
    return ways
  }

  private func name(of state: JobState) -> String {
    switch state {
    case .queued, .away: "queued"
    case .launching: "launching"
    case .running: "running"
    case .stalled: "stalled"
    case .paused: "paused"
    case .stopping: "stopping"
    case .ended: "ended"
    }
  }
}
