internal import JobWire

/// An attempt that a queue has, or will have.
final class QueueAttempt: FolderAttempt {
  enum Submission: Equatable {
    /// Not submitted yet.
    case toSubmit
    case submitting
    /// The next poll of the queue tells whether the queue has it: a submission failed, or an earlier helper
    /// made it.
    case unknown
    case queued(id: String)
  }

  var submission = Submission.toSubmit
  /// The queue's name for it, or for its array; nil while the queue is not known to have it.
  var shownName: String?
  /// The launch to submit; nil for an attempt that an earlier helper was told to launch.
  var launch: EngineLaunch?
  /// The order for its folder, which cannot be made yet.
  var order: [UInt8]?
  /// The earliest time of its submission.
  var submitAt: UInt64 = 0
  /// The queue has shown it with a node.
  var hadNode = false
  /// The queue has shown it running, with the time of its end there.
  var isEndKnown = false
  /// Its partition; empty = unknown.
  var partition = ""
  /// Consecutive polls of the queue that did not show it.
  var missedPolls = 0
  /// Consecutive polls that showed that it would wait for ever.
  var impossiblePolls = 0
  /// Since when the queue shows it running without a claim.
  var runningSince: UInt64?
  /// Since when it is known to be gone from the queue, and its last row; `hadNode`: its turn had come by then.
  var gone: (since: UInt64, row: QueueRow?, hadNode: Bool)?
  /// The queue has shown it.
  var wasShown = false
  /// The system itself has said that it has no such job.
  var isUnknownThere = false
  /// Why its submission failed; the next poll tells whether the queue could have answered.
  var refusal: String?
  /// The last sign of life after which the queue was asked, as none followed.
  var doubtedAt: UInt64?
  /// Since when its record says that it has ended.
  var endedAt: UInt64?
  /// When the queue is to cancel it, as its supervisor has not ended it.
  var cancelAt: UInt64?
  /// The last reported reason why it waits.
  var toldReason: String?
  /// The last reported start that is expected, in seconds since 1970, and the reason.
  var toldStart: (time: Int64, reason: String)?

  var id: String? { if case .queued(let id) = submission { id } else { nil } }
}
