public import Foundation

/// The record of one submitted task, from its acceptance to its end and beyond.
public struct BGTaskRecord: Hashable, Sendable {
  /// The state of a task.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It waits; `pendingReason` has the reason.
    case queued
    /// Its handler is about to be called.
    case launching
    /// Its handler works.
    case running
    /// It reports without advancing, and a person is asked whether it should continue.
    case stalled
    /// It was told to stop.
    case stopping
    /// It is over; `outcome` has the result.
    case ended
  }

  /// How a task ended.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It did its work.
    case succeeded
    /// It ended without success.
    case failed
    /// A person stopped it, or a newer request took its place.
    case cancelled
    /// A rule stopped it; `stopReason` says which.
    case expired
    /// An event outside the task ended it.
    case interrupted
    /// It waited and became impossible.
    case refused
  }

  /// Why a task still waits.
  public struct PendingReason: Hashable, Sendable {
    /// `slots`, `gpu`, `memory`, `network`, `power`, `notBefore`, `after` or `retry`; a later version may add
    /// more.
    public var code: String
    /// One sentence that names the awaited job or resource.
    public var message: String
  }

  /// How far a task is.
  public struct Progress: Hashable, Sendable {
    /// The completed units.
    public var completed: Int64
    /// The total; 0 = unknown.
    public var total: Int64
    /// The kind of units.
    public var unit: ProgressUnit
    /// Units per second, recently; nil while unknown.
    public var rate: Double?
    /// The time left at that rate; nil while unknown.
    public var remaining: Duration?

    /// 0…1; nil when the total is not known.
    public var fraction: Double? {
      total > 0 ? min(1, Double(completed) / Double(total)) : nil
    }
  }

  /// Ascending in order of acceptance, from 1.
  public var number: UInt64
  /// The whole identifier.
  public var identifier: String
  /// The displayed name.
  public var title: String
  /// The displayed current activity.
  public var subtitle: String
  /// The state of the task.
  public var state: State
  /// How it ended; nil while it lives.
  public var outcome: Outcome?
  /// Why it was told to stop; nil when it was not.
  public var stopReason: BGTask.StopReason?
  /// `stopReason` in one sentence, with its particulars.
  public var stopMessage: String?
  /// Why it waits; nil when it does not.
  public var pendingReason: PendingReason?
  /// Its place in the queue from 1; nil when it is not in line.
  public var position: Int?
  /// How far it is; nil before its first attempt.
  public var progress: Progress?
  /// Its last message, or why it could not be started.
  public var message: String?
  /// Which attempt it makes, from 1.
  public var attempt: Int
  /// When it was accepted.
  public var submitted: Date
  /// When its handler was called first.
  public var started: Date?
  /// When it ended.
  public var ended: Date?
}
