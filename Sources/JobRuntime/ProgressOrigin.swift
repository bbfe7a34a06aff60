package import JobWire

/// Where a job's progress was seen.
package struct ProgressOrigin: Hashable {
  package var source = JobProgress.Source.page
  /// What recognised it; nil for the page.
  package var recogniser: String?
  /// What a person must know to read the counts.
  package var note: String?
  /// The line that told it.
  package var line: String?
  /// The counts are of a part, and tell nothing about the time left.
  package var isPart = false

  package init() {}

  package init(_ progress: JobProgress.Source?, recogniser: String?) {
    source = progress ?? .page
    self.recogniser = recogniser
  }
}
