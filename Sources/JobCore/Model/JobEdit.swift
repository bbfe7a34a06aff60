/// Changes to a waiting job; nil = unchanged.
///
/// The words of the command cannot be changed.
package struct JobEdit: Hashable, Sendable {
  package enum Start: Hashable, Sendable {
    case soon
    case notBefore(WallTime)
  }

  /// A text that is only shown: the rules ignore it.
  package var title: String?
  package var subtitle: String?
  package var priority: Submission.Priority?
  /// The jobs that must succeed first, replacing the earlier list; empty = none.
  package var after: [Prerequisite]?
  /// The jobs that only have to end first, replacing the earlier list; empty = none.
  package var afterAny: [Prerequisite]?
  package var start: Start?
  /// Zero = no limit.
  package var limit: Interval?
  package var grace: Interval?
  package var retries: Int?
  /// Zero = longer each time.
  package var retryDelay: Interval?
  /// All that it needs from now on.
  package var requirements: Requirements?
  package var group: GroupName?
  /// It waits for the slots of no group from now on.
  package var leavesGroup = false
  /// The folder of its next attempt.
  package var directory: String?
  /// `NAME=VALUE` entries of its environment, in place of those of the same names.
  package var environment: [String] = []
  /// What is launched from now on, made of these by the runner; nil = as before.
  package var specification: [UInt8]?

  package init() {}

  /// Whether the edit changes nothing.
  package var isEmpty: Bool { self == JobEdit() }

  /// Whether it changes a property that the rules use.
  var concernsRules: Bool {
    var edit = self
    (edit.title, edit.subtitle) = (nil, nil)
    (edit.directory, edit.environment, edit.specification) = (nil, [], nil)
    return !edit.isEmpty
  }

  /// Whether it changes what is launched.
  package var concernsLaunch: Bool { directory != nil || !environment.isEmpty }

  /// Whether it changes the group.
  package var namesGroup: Bool { group != nil || leavesGroup }

  /// Whether it changes the prerequisites.
  package var namesJobs: Bool { after != nil || afterAny != nil }

  /// The jobs that it names.
  package var named: [Prerequisite] { (after ?? []) + (afterAny ?? []) }

  /// A job with a new priority gets the place of its number there.
  package func apply(to submission: inout Submission) {
    if let priority, priority != submission.options.priority {
      (submission.options.priority, submission.seat) = (priority, nil)
    }
    if namesJobs {
      let first = after ?? submission.after.filter { !$0.anyEnd && !$0.isOne }
      let ones = submission.after.filter { $0.isOne }
      let others =
        ones
        + (afterAny ?? submission.after.filter { $0.anyEnd }).filter { other in
          !first.contains { $0.number == other.number }
        }
      submission.after = (first + others).sorted { $0.number < $1.number }
    }
    if let limit { submission.options.limit = limit == .zero ? nil : limit }
    if let grace { submission.options.grace = grace }
    if let retries { submission.options.retries = retries }
    if let retryDelay {
      submission.options.retryDelay = retryDelay == .zero ? nil : retryDelay
    }
    if let requirements { submission.options.requirements = requirements }
    if namesGroup { (submission.options.group, submission.options.groupSlots) = (group, 0) }
    switch start {
    case .soon: submission.notBefore = nil
    case .notBefore(let time): submission.notBefore = time
    case nil: break
    }
  }
}
