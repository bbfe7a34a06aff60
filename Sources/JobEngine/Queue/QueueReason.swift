package import JobCore

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
