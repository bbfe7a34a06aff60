import JobCore
import JobPage
import JobWire
import LinuxSystem

/// The end of a tree whose supervisor is gone: all that carries the attempt's token is killed, again
/// and again with pauses in which the loop goes on, until nothing is left.
struct Sweep {
  let tree: ProcessTree
  var due: Instant
  var rounds = 0
  private var pause = Span.milliseconds(5)

  /// A sweep that is due at once.
  init(_ live: Attempt, at now: Instant) {
    tree = ProcessTree(
      root: nil, includesRoot: false,
      environmentEntry: Array("JOBRUN_TOKEN=\(live.token)".utf8))
    due = now
  }

  /// Killed processes take a moment to be gone, the longer the more memory they had.
  mutating func countRound(at now: Instant) {
    rounds += 1
    due = now + pause
    pause = min(pause * 2, .seconds(1))
  }
}

extension Runner {
  /// When a tree is to be looked at again; nil = none is left.
  var nextSweep: Instant? { sweeps.values.map(\.due).min() }

  func sweep(at now: Instant) {
    for (number, sweep) in sweeps where sweep.due <= now {
      guard let live = attempts[number] else {
        sweeps[number] = nil
        continue
      }
      let left = sweep.tree.members().count
      guard left == 0 || sweep.rounds == Limits.killRounds else {
        sweep.tree.kill()
        sweeps[number]?.countRound(at: now)
        continue
      }
      if left > 0 { note("\(left) processes of job \(number) cannot be ended") }
      sweeps[number] = nil
      finish(live, (try? RunRecordFile(path: live.recordPath).read()) ?? RunRecord())
    }
  }
}
