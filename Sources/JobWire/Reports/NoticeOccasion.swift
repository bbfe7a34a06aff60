package import JobCore

extension NoticeRules.Occasion {
  /// As far as the job itself tells; who watches it is another matter.
  package init(_ kind: Announcement.Kind, of job: JobStatus) {
    self.init(kind)
    outcome = job.outcome
    stopReason = job.stopReason?.code
    isScheduled = job.terms.kind.isScheduled
    lasted = job.lasted ?? .zero
  }
}

extension JobStatus {
  /// From its first start (had it none, its submission) to its end, in wall time; nil while it has not
  /// ended.
  package var lasted: Span? {
    ended.map { $0 - (started ?? submitted) }
  }
}
