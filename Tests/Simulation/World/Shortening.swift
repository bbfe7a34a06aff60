import JobCore

/// Shortens the stimuli of a failing life as far as possible while it still fails (Zeller's ddmin: drop halves,
/// then quarters, then single ones).
package struct Shortening {
  private let seed: UInt64
  private var stimuli: [Stimulus]
  private let problem: String
  private let deadline: ContinuousClock.Instant

  package init(seed: UInt64, stimuli: [Stimulus], problem: String, within: Duration) {
    self.seed = seed
    self.stimuli = stimuli
    self.problem = Shortening.kind(of: problem)
    deadline = .now + within
  }

  /// The shortest failing life that was found, with its trace.
  package mutating func shortest() -> Life {
    var size = max(1, stimuli.count / 2)
    while .now < deadline {
      let dropped = dropPieces(of: size)
      if size == 1, !dropped { break }
      size = dropped && size == 1 ? 1 : max(1, size / 2)
    }
    var life = Life(seed: seed, stimuli: stimuli, isTraced: true)
    _ = life.live()
    return life
  }

  /// A problem without its numbers, which change as others fall away.
  private static func kind(of problem: String) -> String { problem.filter { !$0.isNumber } }

  /// Leaves out each piece of `size` in turn where the life still fails; whether any was left out.
  private mutating func dropPieces(of size: Int) -> Bool {
    var start = 0
    var dropped = false
    while start < stimuli.count, .now < deadline {
      var shorter = stimuli
      shorter.removeSubrange(start..<min(stimuli.count, start + size))
      var life = Life(seed: seed, stimuli: shorter)
      if life.live().map(Shortening.kind) == problem {
        stimuli = shorter
        dropped = true
      } else {
        start += size
      }
    }
    return dropped
  }
}
