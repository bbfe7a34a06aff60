import JobCore
import SimulatedWorld
import Testing

@Suite struct RandomRunTests {
  /// In blocks, so that they run in parallel and a failure names few seeds.
  ///
  /// `make sim` lives longer ones, with the runtime around the core.
  @Test(arguments: 0..<12)
  func `nothing is leaked, held twice, overtaken or forgotten in many random lives`(block: Int) {
    for seed in UInt64(block * 100)..<UInt64(block * 100 + 30) {
      var run = RandomRun(seed: seed)
      if let problem = run.live(steps: 100) {
        Issue.record("\(problem)")
        return
      }
    }
  }

  @Test func `the same events have the same effects`() {
    for seed in UInt64(5_000)..<5_020 {
      var run = RandomRun(seed: seed)
      run.isChecked = false
      _ = run.live(steps: 100)
      var again = Scheduler(configuration: run.configuration, firstNumber: JobNumber(1))
      for (index, step) in run.history.enumerated() {
        let effects = again.handle(step.event, at: step.at)
        #expect(effects == step.effects, "seed \(seed), event \(index + 1)")
        if effects != step.effects { return }
      }
    }
  }

  /// A run in which little happens proves little.
  @Test func `random lives see every kind of announcement and outcome`() {
    var kinds: Set<Announcement.Kind> = []
    var outcomes: Set<Outcome> = []
    for seed in UInt64(0)..<60 {
      var run = RandomRun(seed: seed)
      run.isChecked = false
      _ = run.live(steps: 100)
      for case .announce(_, let announcement) in run.history.flatMap(\.effects) {
        kinds.insert(announcement.kind)
        if case .ended(let outcome, _) = announcement.state { outcomes.insert(outcome) }
      }
    }
    #expect(kinds == Set(Announcement.Kind.allCases))
    #expect(outcomes == Set(Outcome.allCases))
  }
}
