import Glibc
import SimulatedWorld

// Runs the runtime through months of virtual time per minute, in a world with every possible failure, and
// checks every invariant after every step. `make sim` runs it.

/// Standard output without a buffer.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

/// Shows the shortest life that fails in the same way as the one of `seed`; the exit code.
func explain(_ seed: UInt64, _ settings: Settings, _ problem: String) -> Int32 {
  tell("seed \(seed): \(problem)")
  tell("shortening what led there ...")
  let stimuli = Life.stimuli(seed: seed, count: settings.length)
  var shortening = Shortening(
    seed: seed, stimuli: stimuli, problem: problem, within: .seconds(20))
  let life = shortening.shortest()
  for line in life.trace.suffix(200) { tell("  \(line)") }
  tell("\(life.problem ?? problem)")
  tell("repeat it with: make sim RUNS=1 SEED=\(seed)")
  return 1
}

func simulate(_ settings: Settings) -> Int32 {
  let clock = ContinuousClock()
  let start = clock.now
  var tally = Tally()
  while tally.lives < settings.runs ?? .max, clock.now - start < .seconds(settings.seconds) {
    let seed = settings.seed &+ tally.lives
    var life = Life(seed: seed, stimuli: Life.stimuli(seed: seed, count: settings.length))
    let problem = life.live()
    tally.add(life)
    if let problem { return explain(seed, settings, problem) }
  }
  tell(tally.text(firstSeed: settings.seed, elapsed: clock.now - start))
  return 0
}

guard let settings = Settings(Array(CommandLine.arguments.dropFirst())) else {
  tell(Settings.usage)
  exit(64)
}
exit(simulate(settings))
