package import JobCore

extension NoticeRules.Occasion {
  /// As far as the job itself tells; who watches it is another matter.
  package init(_ kind: Announcement.Kind, of job: JobStatus) {
    self.init(kind)
    outcome = job.outcome
    stopReason = job.stopReason?.code
    isScheduled = job.terms.kind.isScheduled
    // One that never began waited.
    lasted = job.ran ?? job.ended.map { $0 - job.submitted } ?? .zero
  }
}
