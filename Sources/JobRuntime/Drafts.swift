package import JobCore

/// A submission on its way through the scheduler.
package struct Draft {
  /// The future job; a redone one already has its number.
  package var job: LiveJob
  /// The specification as submitted; empty for a hosted job.
  package let specification: [UInt8]

  package init(_ job: LiveJob, specification: [UInt8] = []) {
    self.job = job
    self.specification = specification
  }
}

/// Submissions under way, by their request tags, and their memory usage.
package struct Drafts {
  private var drafts: [RequestTag: Draft] = [:]
  private var batches: [RequestTag: BatchDraft] = [:]
  /// The size of all specifications.
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

  /// Drops the submission with this tag.
  package mutating func drop(_ tag: RequestTag) {
    self[tag] = nil
    self[batch: tag] = nil
  }

  mutating func removeValue(forKey tag: RequestTag) -> Draft? {
    let draft = self[tag]
    if draft != nil { self[tag] = nil }
    return draft
  }

  /// Whether a submission under way is hosted by this process.
  package func concern(_ host: JobHost) -> Bool { drafts.values.contains { $0.job.host == host } }

  /// Frees the capacity that a large number had needed.
  package mutating func releaseCapacity() { if isEmpty { (drafts, batches) = ([:], [:]) } }
}
