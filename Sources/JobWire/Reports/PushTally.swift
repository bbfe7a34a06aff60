/// What became of pushes, in numbers.
package struct PushTally: Hashable, Sendable {
  /// Accepted as jobs of their own.
  package var accepted = 0
  /// Taken into one that waited.
  package var coalesced = 0
  /// Refused: a person's settings, or the budget.
  package var dropped = 0
  package var subscriptions = Subscriptions()

  package init() {}

  /// What comes over streams of events.
  package struct Subscriptions: Hashable, Sendable {
    /// Addresses that are listened to, and of these, how many answer.
    package var streams = 0
    package var open = 0
    package var events = 0
    /// Of what came, what was no event of a push.
    package var garbage = 0
    /// Why the last that failed did so.
    package var trouble: String?

    package init() {}
  }
}

extension PushTally: Coded {
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&accepted, "accepted")
    try coder.codeAlways(&coalesced, "coalesced")
    try coder.codeAlways(&dropped, "dropped")
    try subscriptions.code(with: &coder)
  }
}

/// A message of its own, too: as the process that listens tells it.
extension PushTally.Subscriptions: Coded {
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.codeAlways(&streams, "streams")
    try coder.codeAlways(&open, "open")
    try coder.codeAlways(&events, "events")
    try coder.codeAlways(&garbage, "garbage")
    try coder.codeAlways(&trouble, "trouble")
  }
}
