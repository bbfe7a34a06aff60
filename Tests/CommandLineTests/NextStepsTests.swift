import JobCore
import JobWire
import Testing

@testable import jobrun

/// The suggestions of `jobrun` without a verb.
struct NextStepsTests {
  private func commands(_ states: [JobStatus.State], asking: Bool = false, hasEnded: Bool = false)
    -> [String]
  {
    var steps = NextSteps()
    for (index, state) in states.enumerated() {
      var job = Sample.job(state)
      job.number = JobNumber(UInt64(index + 1))
      if asking { job.prompt = JobStatus.Prompt(question: "continue?", since: job.submitted) }
      steps.add(job)
    }
    return steps.commands(hasEnded: hasEnded).map { $0.command }
  }

  @Test func `a first user is shown how to begin`() {
    #expect(commands([]) == ["run -- COMMAND", "jobs", "help"])
    #expect(commands([], hasEnded: true) == ["run -- COMMAND", "history", "show @"])
  }

  @Test func `a running job can be watched, read and stopped`() {
    #expect(commands([.running]) == ["attach 1", "log 1", "cancel 1"])
    #expect(commands([.queued, .running]) == ["attach 2", "watch", "log 2"])
  }

  @Test func `a question, then a pause, come first`() {
    #expect(commands([.stalled], asking: true) == ["continue 1", "attach 1", "log 1"])
    #expect(commands([.running, .paused]) == ["resume 2", "attach 1", "watch"])
  }

  @Test func `a job that waits is explained`() {
    #expect(commands([.queued]) == ["show 1", "cancel 1", "history"])
  }
}
