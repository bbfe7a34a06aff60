import JobCore
import JobWire
import Testing

@testable import jobrun

@Suite struct TerminalBellTests {
  private let start = WallTime(milliseconds: 1_772_368_496_000)

  private func job(_ outcome: Outcome? = nil, after seconds: Int64 = 60) -> JobObject {
    var job = JobObject(
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

  /// What the bell does for these states of a job, one after the other.
  private func rings(_ rules: NoticeRules?, _ jobs: JobObject...) -> [Bool] {
    var bell = TerminalBell(rules: rules)
    return jobs.map { bell.rings(for: $0) }
  }

  @Test func `it rings once for the end`() {
    #expect(rings(NoticeRules(), job(), job(.failed), job(.failed)) == [false, true, false])
  }

  @Test func `it rings for each question, once`() {
    var asking = job()
    asking.state = .stalled
    asking.prompt = JobObject.Prompt(question: "Continue?", since: start)
    #expect(
      rings(NoticeRules(), asking, asking, job(), asking) == [true, false, false, true])
  }

  @Test func `it is silent for short jobs, for what was cancelled, and when it is off`() {
    var cancelled = job(.cancelled)
    cancelled.stopReason = StopReason(.user, "it was cancelled on request")
    #expect(rings(NoticeRules(), job(.succeeded, after: 9)) == [false])
    #expect(rings(NoticeRules(), cancelled) == [false])
    #expect(rings(nil, job(.failed)) == [false])
  }

  @Test func `asked for by its flag it rings for short jobs, too`() {
    #expect(rings(NoticeRules(after: .zero), job(.succeeded, after: 0)) == [true])
  }
}
