import JobCore
import SimulatedWorld

/// The total of all lives.
struct Tally {
  var lives: UInt64 = 0
  private var events = 0
  private var crashes = 0
  private var jobs = 0
  private var refusals = 0
  private var losses = 0
  private var hours = 0.0

  mutating func add(_ life: Life) {
    lives += 1
    events += life.events
    crashes += life.crashes
    jobs += life.jobs
    refusals += life.refusals
    losses += life.losses
    hours += Double(life.time.milliseconds) / 3_600_000
  }

  func text(firstSeed: UInt64, elapsed: Duration) -> String {
    let seconds =
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    let rate = seconds > 0 ? Int(Double(events) / seconds) : 0
    return """
      \(lives) lives (seeds \(firstSeed) to \(firstSeed &+ lives &- 1)), 0 problems
      \(jobs) jobs, \(events) events, \(crashes) crashes of the runner
      \(refusals) refusals of the journal, \(losses) changes lost with the power
      \(Int(hours / 24)) days of simulated time in \(Int(seconds)) s, \(rate) events/s with all checks
      """
  }
}
