internal import JobWire

/// An attempt that is with Slurm, or on its way there.
final class SlurmAttempt: FolderAttempt {
  enum Place: Equatable {
    /// It waits to be handed over.
    case toSubmit
    case submitting
    /// Whether it is in Slurm's queue is told by the next look at that: a call came to nothing, or an earlier
    /// helper made it.
    case unknown
    case queued(id: String)
  }

  var place = Place.toSubmit
  /// What Slurm calls it, or its array; nil while it is not known to have it.
  var shownName: String?
  /// What is handed over; nil of one that an earlier helper was told to launch.
  var launch: EngineLaunch?
  /// What its folder lacks, as it cannot be made yet.
  var order: [UInt8]?
  /// When it is handed over at the earliest.
  var submitAt: UInt64 = 0
  /// The queue has shown it with a node.
  var hadNode = false
  /// The queue has shown it running, and with that when Slurm ends it.
  var isEndKnown = false
  /// Where Slurm runs it; empty = not known.
  var partition = ""
  /// Looks at the queue in a row that did not show it.
  var missing = 0
  /// The same that showed that it would wait for ever.
  var hopeless = 0
  /// Since when it is called running without being claimed.
  var runningSince: UInt64?
  /// Its cause, since when it is known to be gone from the queue; `hadNode`: its turn had come by then.
  var gone: (since: UInt64, cause: EngineCause?, state: String, hadNode: Bool)?
  /// Since when its record says that it has ended.
  var endedAt: UInt64?
  /// When it is ended by Slurm's own means, as its supervisor has not done it.
  var cancelAt: UInt64?
  /// What was told last of why it waits.
  var toldReason: String?
  /// The same with a start that Slurm expects, in seconds since 1970.
  var toldStart: (time: Int64, reason: String)?

  var id: String? { if case .queued(let id) = place { id } else { nil } }
}
