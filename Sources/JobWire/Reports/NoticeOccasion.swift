package import JobCore

extension NoticeRules.Occasion {
  /// The part that the job itself determines; its watchers are not included.
  package init(_ kind: Announcement.Kind, of job: JobStatus) {
    self.init(kind)
    outcome = job.outcome
    stopReason = job.stopReason?.code
    isScheduled = job.terms.kind.isScheduled
    // A job that never began waited.
    lasted = job.ran ?? job.ended.map { $0 - job.submitted } ?? .zero
  }
}
