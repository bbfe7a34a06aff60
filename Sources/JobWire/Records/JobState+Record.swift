package import JobCore

extension JobState {
  /// A job that was just accepted.
  package static var accepted: JobState { .queued(PendingReason(.slots, "was just submitted")) }

  /// How it ended; nil while it is live.
  package var outcome: Outcome? {
    if case .ended(let outcome, _) = self { outcome } else { nil }
  }

  /// Why it was told to stop.
  package var stopReason: StopReason? {
    switch self {
    case .stopping(let reason, _): reason
    case .ended(_, let reason): reason
    default: nil
    }
  }

  /// Why it waits: for its start, or to resume.
  package var pendingReason: PendingReason? {
    switch self {
    case .queued(let reason), .away(let reason): reason
    case .paused(let pause): pause.waits
    default: nil
    }
  }

  /// Since when its question is open, which waits while it is paused.
  package var stalledSince: Instant? {
    switch self {
    case .stalled(let since): since
    case .paused(let pause): pause.stalledSince
    default: nil
    }
  }
}

/// The fields of a state in a record.
///
/// They are members of the record's object, as no name has two meanings. The reason of a queued job is kept only
/// beside a time: without one it is found anew, and would take room in each waiting job.
struct StateFields: Coded {
  private var name = JobStatus.State.queued
  private var reason: PendingReason?
  private var outcome: Outcome?
  private var stopReason: StopReason?
  private var stopDeadline: Instant?
  private var stalledSince: Instant?
  private var pausedSince: Instant?
  private var pausedUntil: Instant?
  private var keepsSlot = false
  private var isToResume = false

  init() {}

  init(_ state: JobState, isDelayed: Bool) {
    name = JobStatus.State(state)
    (outcome, stopReason, stalledSince) = (state.outcome, state.stopReason, state.stalledSince)
    switch state {
    case .queued(let waits): reason = isDelayed ? waits : nil
    case .stopping(_, let deadline): stopDeadline = deadline
    case .paused(let pause):
      (pausedSince, pausedUntil) = (pause.since, pause.until)
      (keepsSlot, isToResume) = (pause.keepsSlot, pause.waits != nil)
    case .away, .launching, .running, .stalled, .ended: break
    }
  }

  mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&name, "state", usual: .queued)
    try coder.code(&reason, "reason")
    try coder.code(&outcome, "outcome")
    try coder.code(&stopReason, "stopReason")
    try coder.code(&stopDeadline, "stopDeadlineNs")
    try coder.code(&stalledSince, "stalledSinceNs")
    try coder.code(&pausedSince, "pausedSinceNs")
    try coder.code(&pausedUntil, "pausedUntilNs")
    try coder.code(&keepsSlot, "keepsSlot", usual: false)
    try coder.code(&isToResume, "isToResume", usual: false)
  }

  /// A state that lacks a field, which no record of ours does, counts as running, and as interrupted if it has
  /// ended.
  var state: JobState {
    switch name {
    case .queued: return reason.map { .queued($0) } ?? .accepted
    case .launching: return .launching
    case .running: break
    case .stalled:
      if let stalledSince { return .stalled(since: stalledSince) }
    case .paused:
      guard let pausedSince else { break }
      var pause = Pause(
        since: pausedSince, stalledSince: stalledSince, keepsSlot: keepsSlot, until: pausedUntil)
      if isToResume { pause.waits = PendingReason(.slots, "it waits for a slot to resume") }
      return .paused(pause)
    case .stopping:
      if let stopReason, let stopDeadline { return .stopping(stopReason, deadline: stopDeadline) }
    case .ended: return .ended(outcome ?? .interrupted, stopReason)
    }
    return .running
  }
}
