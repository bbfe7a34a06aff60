import Dispatch
import Glibc
import MixedOutput
import Synchronization

// Shows made-up outputs of unknown programs, and holds what is shown against the truth. `make mixtures` runs it.

/// Standard output without a buffer.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

/// One part of the seeds, until the time is over.
func tally(
  _ part: UInt64, _ settings: Settings, until end: ContinuousClock.Instant
) -> MixtureTally {
  var tally = MixtureTally()
  for offset in stride(from: part, to: settings.runs, by: settings.workers) {
    if ContinuousClock.now >= end { break }
    tally.run(seed: settings.seed &+ offset)
  }
  return tally
}

guard let settings = Settings(Array(CommandLine.arguments.dropFirst())) else {
  tell(Settings.usage)
  exit(64)
}
let start = ContinuousClock.now
let end = start + .seconds(settings.seconds)
let tallies = Mutex(MixtureTally())
DispatchQueue.concurrentPerform(iterations: settings.workers) { part in
  let part = tally(UInt64(part), settings, until: end)
  tallies.withLock { $0.add(part) }
}
let total = tallies.withLock { $0 }
for finding in total.findings { tell(finding) }
tell(total.text)
let seconds = (ContinuousClock.now - start).components.seconds
tell("seeds from \(settings.seed), \(seconds) s; repeat one with: make mixtures RUNS=1 SEED=...")
exit(total.findings.isEmpty ? 0 : 1)
