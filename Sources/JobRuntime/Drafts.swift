package import JobCore

/// A submission on its way through the scheduler.
package struct Draft {
  /// The job that it is to become; one that is redone has its number already.
  package var job: LiveJob
  /// What is executed, as the submitter handed it over; empty for a hosted job.
  package let specification: [UInt8]

  package init(_ job: LiveJob, specification: [UInt8] = []) {
    self.job = job
    self.specification = specification
  }
}

/// Submissions on their way, by the tags of who asked, and how much memory they take.
package struct Drafts {
  private var drafts: [RequestTag: Draft] = [:]
  private var batches: [RequestTag: BatchDraft] = [:]
  /// Of all that is to be executed.
  package private(set) var bytes = 0

  package init() {}

  package var isEmpty: Bool { drafts.isEmpty && batches.isEmpty }

  package subscript(tag: RequestTag) -> Draft? {
    get { drafts[tag] }
    set {
      bytes -= drafts[tag]?.specification.count ?? 0
      bytes += newValue?.specification.count ?? 0
      drafts[tag] = newValue
    }
  }

  /// Many submissions in one; they wait under their tag until it is answered.
  package subscript(batch tag: RequestTag) -> BatchDraft? {
    get { batches[tag] }
    set {
      bytes += (newValue?.bytes ?? 0) - (batches[tag]?.bytes ?? 0)
      batches[tag] = newValue
    }
  }

  /// Forgets whatever was on its way under this tag.
  package mutating func drop(_ tag: RequestTag) {
    self[tag] = nil
    self[batch: tag] = nil
  }

  mutating func removeValue(forKey tag: RequestTag) -> Draft? {
    let draft = self[tag]
    if draft != nil { self[tag] = nil }
    return draft
  }

  /// Whether something is on its way that this process is to run.
  package func concern(_ host: JobHost) -> Bool { drafts.values.contains { $0.job.host == host } }

  /// What a crowd had needed is not kept.
  package mutating func releaseCapacity() { if isEmpty { (drafts, batches) = ([:], [:]) } }
}
