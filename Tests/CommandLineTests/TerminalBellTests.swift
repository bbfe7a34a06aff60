import JobCore
import JobWire
import Testing

@testable import jobrun

@Suite struct TerminalBellTests {
  private let start = WallTime(milliseconds: 1_772_368_496_000)

  private func job(_ outcome: Outcome? = nil, after seconds: Int64 = 60) -> JobStatus {
    var job = JobStatus(
      number: JobNumber(1), identifier: "io.jobrun.run.a", title: "A", submitted: start, log: "",
      stateDirectory: "")
    job.state = .running
    job.started = start
    guard let outcome else { return job }
    job.state = .ended
    job.outcome = outcome
    job.ended = WallTime(milliseconds: start.milliseconds + seconds * 1_000)
    return job
  }

  /// Whether the bell rings for these states of a job, one after the other.
  private func rings(_ wish: TerminalBell.Wish, _ jobs: JobStatus...) -> [Bool] {
    var bell = TerminalBell(wish)
    return jobs.map { bell.rings(for: $0) }
  }

  @Test func `it rings once for the end`() {
    #expect(
      rings(.worthy(NoticeRules()), job(), job(.failed), job(.failed)) == [false, true, false])
  }

  @Test func `it rings for each question, once`() {
    var asking = job()
    asking.state = .stalled
    asking.prompt = JobStatus.Prompt(question: "Continue?", since: start)
    #expect(
      rings(.worthy(NoticeRules()), asking, asking, job(), asking) == [true, false, false, true])
  }

  @Test func `it is silent for short jobs, for what was cancelled, and when it is off`() {
    var cancelled = job(.cancelled)
    cancelled.stopReason = StopReason(.user, "it was cancelled on request")
    #expect(rings(.worthy(NoticeRules()), job(.succeeded, after: 9)) == [false])
    #expect(rings(.worthy(NoticeRules()), cancelled) == [false])
    #expect(rings(.never, job(.failed)) == [false])
  }

  @Test(arguments: [StopReason.Code.user, .superseded, .dependency, .runnerStop, .limit])
  func `asked for by its flag it rings once for every end`(reason: StopReason.Code) {
    var stopped = job(.cancelled, after: 0)
    stopped.stopReason = StopReason(reason, "why")
    #expect(rings(.always, job(), stopped, stopped) == [false, true, false])
    var scheduled = job(.succeeded, after: 0)
    scheduled.terms.kind = .processing
    #expect(rings(.always, scheduled) == [true])
    #expect(rings(.worthy(NoticeRules(after: .zero)), scheduled) == [false])
  }
}
