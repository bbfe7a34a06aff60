package import JobCore
package import JobWire

/// One of the user's jobs as the queue shows it.
package struct QueueRow: Equatable {
  package enum Phase: Equatable {
    case pending, running
    /// Its final state follows later.
    case ending
    case over
    /// Its state is not known here.
    case unknown
  }

  /// `4711`, or `4711_3` of an array.
  package var id: String
  /// Empty where the queue shows none.
  package var name: String
  /// The name in the queue, which all elements of an array share.
  package var shownName: String
  /// In the system's word.
  package var state: String
  package var phase: Phase
  /// When it is expected to start, in seconds since 1970; nil = unknown.
  package var start: Int64?
  /// When it is ended, in seconds since 1970; nil = never or unknown.
  package var end: Int64?
  /// It has or had a node.
  package var hasNode = false
  package var partition = ""
  /// Why it waits.
  package var reason: QueueReason?
  /// The cause of its end, if it is over and did not end by itself.
  package var cause: EngineCause?
  /// It is over, and could not be started.
  package var isBroken = false

  package init(id: String, name: String, state: String, phase: Phase) {
    (self.id, self.name, self.state, self.phase) = (id, name, state, phase)
    shownName = name
  }

  package var isPending: Bool { phase == .pending }
  package var isRunning: Bool { phase == .running }
  package var isOver: Bool { phase == .over }
}

/// Why a job waits.
package struct QueueReason: Equatable {
  package enum Kind: Equatable {
    case waits(PendingReason.Code)
    /// It would wait for ever.
    case never
  }

  package var kind: Kind
  package var sentence: String

  package init(_ kind: Kind, _ sentence: String) { (self.kind, self.sentence) = (kind, sentence) }
}
