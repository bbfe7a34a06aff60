package import JobWire

/// Where a job's progress was seen.
package struct ProgressOrigin: Hashable {
  package var source = JobProgress.Source.page
  /// The recogniser; nil for the page.
  package var recogniser: String?
  /// A note that people need to understand the counts.
  package var note: String?
  /// The line with the counts.
  package var line: String?
  /// Whether the counts cover only a part, and so say nothing about the remaining time.
  package var isPart = false

  package init() {}

  package init(_ progress: JobProgress.Source?, recogniser: String?) {
    source = progress ?? .page
    self.recogniser = recogniser
  }
}
