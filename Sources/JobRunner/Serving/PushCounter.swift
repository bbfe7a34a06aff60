import JobCore
import JobRuntime
import JobWire
import LinuxSystem

/// Counts the results of pushes, and reports those that wake no program.
final class PushCounter {
  private(set) var tally = PushTally()
  /// Pushes that the core has not decided about yet.
  private var expected: [RequestTag: JobIdentifier] = [:]

  func expect(_ tag: RequestTag, _ identifier: JobIdentifier) { expected[tag] = identifier }

  func forget(_ tag: RequestTag) { expected[tag] = nil }

  /// The line about a push that was dropped; nil when it was not, or the answer is another's.
  func answered(_ answer: Turn.Answer) -> FeedLine? {
    guard !expected.isEmpty, let identifier = expected.removeValue(forKey: answer.tag) else {
      return nil
    }
    let error: WireError
    switch answer.reply {
    case .success(.accepted):
      tally.accepted += 1
      return nil
    case .success(.kept):
      tally.coalesced += 1
      return nil
    case .success(.refused(let refusal)): error = WireError(refusal)
    case .success: return nil
    case .failure(let problem): error = problem
    }
    tally.dropped += 1
    return .dropped(at: .now(), identifier: identifier.text, error)
  }
}
