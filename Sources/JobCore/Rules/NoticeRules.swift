/// Decides which announcements become desktop notifications or other notices away from the job's terminal.
///
/// A value beside the core: notices change nothing about any job.
package struct NoticeRules: Hashable, Sendable {
  /// The urgency of a notice, with the values of the Desktop Notifications specification.
  package enum Urgency: UInt8, Hashable, Sendable, CaseIterable {
    case low = 0
    case normal = 1
    /// Stays until the user has seen it.
    case critical = 2
  }

  /// The content of a notice.
  package enum Notice: Hashable, Sendable {
    /// *Continue?*
    case question
    case end(Urgency)
    /// The question that a notice asked is closed.
    case takenBack
  }

  /// One announcement with the job's properties that the rules need.
  package struct Occasion: Hashable, Sendable {
    package var kind: Announcement.Kind
    package var outcome: Outcome?
    package var stopReason: StopReason.Code?
    package var onStall = Submission.OnStall.ask
    /// A terminal or a program is attached.
    package var isWatched = false
    /// From its first start (without one, its submission) to its end, in wall time.
    package var lasted = Interval.zero
    /// The runner picked the start time, and no person waits for the job.
    package var isScheduled = false

    package init(_ kind: Announcement.Kind) {
      self.kind = kind
    }
  }

  /// Jobs that end sooner get no notice: the user is still at the terminal.
  package var after: Interval

  package static let defaultAfter = Interval.seconds(10)

  package init(after: Interval = NoticeRules.defaultAfter) {
    self.after = after
  }

  /// Whether such an announcement can ever become a notice; others need no further checks.
  package static func mayTell(of kind: Announcement.Kind) -> Bool {
    switch kind {
    case .prompt, .answered, .paused, .stopping, .ended: true
    case .submitted, .queued, .launched, .started, .stalled, .advanced, .warned, .resumed, .held,
      .released, .moved, .edited:
      false
    }
  }

  /// The notice for an occasion; nil = none.
  package func notice(of occasion: Occasion) -> Notice? {
    switch occasion.kind {
    case .prompt: occasion.isWatched ? nil : .question
    case .answered, .paused, .stopping: .takenBack
    case .ended: end(occasion) ?? .takenBack
    case .submitted, .queued, .launched, .started, .stalled, .advanced, .warned, .resumed, .held,
      .released, .moved, .edited:
      nil
    }
  }

  /// Whether the command for all jobs is run after this end, watched or not.
  package func runsCommand(after occasion: Occasion) -> Bool {
    occasion.kind == .ended && occasion.lasted >= after
  }

  private func end(_ occasion: Occasion) -> Notice? {
    guard !occasion.isWatched, occasion.lasted >= after, !isKnown(occasion) else { return nil }
    switch occasion.outcome {
    // Successful maintenance needs no notice.
    case .succeeded: return occasion.isScheduled ? nil : .end(.normal)
    case .failed, .cancelled, .expired, .interrupted, .refused: return .end(.critical)
    case nil: return nil
    }
  }

  /// Whether the user has just caused the end, or already knows its cause.
  private func isKnown(_ occasion: Occasion) -> Bool {
    switch occasion.stopReason {
    case .user, .superseded, .runnerStop: true
    // The end of the job that it depends on had its own notice, if that was worth one.
    case .dependency: true
    case .stallDeclined: occasion.onStall == .ask
    case .silent, .limit, .unanswered, .requirementLost, .reboot, .supervisorLost, .preempted,
      .engine, .late,
      nil:
      false
    }
  }
}
