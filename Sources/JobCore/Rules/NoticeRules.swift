/// Who is told of what when nobody looks: whether a turn in a job's life is worth disturbing a person
/// at another place than the terminal of the job.
///
/// A value beside the core: what is told changes nothing about any job.
package struct NoticeRules: Hashable, Sendable {
  /// How a notice presents itself, with the values of the Desktop Notifications specification.
  package enum Urgency: UInt8, Hashable, Sendable, CaseIterable {
    case low = 0
    case normal = 1
    /// Stays until somebody has seen it.
    case critical = 2
  }

  /// What there is to be told.
  package enum Notice: Hashable, Sendable {
    /// *Continue?*
    case question
    case end(Urgency)
    /// The question that was told of is one no more.
    case takenBack
  }

  /// One announcement with all that the rules ask about its job.
  package struct Occasion: Hashable, Sendable {
    package var kind: Announcement.Kind
    package var outcome: Outcome?
    package var stopReason: StopReason.Code?
    package var onStall = Submission.OnStall.ask
    /// A terminal or a program is attached.
    package var isWatched = false
    /// From its first start (had it none, its submission) to its end, in wall time.
    package var lasted = Interval.zero
    /// The runner picked the moment, and nobody waits for it.
    package var isScheduled = false

    package init(_ kind: Announcement.Kind) {
      self.kind = kind
    }
  }

  /// Jobs that ended sooner are not worth a word: whoever started them is still there.
  package var after: Interval

  package static let defaultAfter = Interval.seconds(10)

  package init(after: Interval = NoticeRules.defaultAfter) {
    self.after = after
  }

  /// Whether anything is ever told of such an announcement; the rest need not be looked at.
  package static func mayTell(of kind: Announcement.Kind) -> Bool {
    switch kind {
    case .prompt, .answered, .paused, .stopping, .ended: true
    case .submitted, .queued, .launched, .started, .stalled, .advanced, .warned, .resumed, .held,
      .released, .moved, .edited:
      false
    }
  }

  /// What a person is to be told; nil = nothing.
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
    // Maintenance that went well is not to be heard of.
    case .succeeded: return occasion.isScheduled ? nil : .end(.normal)
    case .failed, .cancelled, .expired, .interrupted, .refused: return .end(.critical)
    case nil: return nil
    }
  }

  /// Whether a person has just brought the end about, or knows of what it follows from.
  private func isKnown(_ occasion: Occasion) -> Bool {
    switch occasion.stopReason {
    case .user, .superseded, .runnerStop: true
    // The job that it was to come after was told of, if that was worth it.
    case .dependency: true
    case .stallDeclined: occasion.onStall == .ask
    case .silent, .limit, .unanswered, .requirementLost, .reboot, .supervisorLost, .preempted,
      .engine, .late,
      nil:
      false
    }
  }
}
