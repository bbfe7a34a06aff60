/// The recognised progress of a program, and its recogniser.
package struct Finding: Hashable, Sendable {
  /// The source of the progress.
  package enum Source: String, Hashable, Sendable {
    /// Terminal progress sequences in the output.
    case osc
    /// Counts in the output.
    case output
    /// The position in a file.
    case file
  }

  package var counts: ProgressCounts
  package var source: Source
  /// The name of the recogniser, as shown to people.
  package var recogniser: String
  /// A note that people need to understand the counts: `round 3`, `read all of big.bin`.
  package var note: String?
  /// The counts cover one of an unknown number of parts, so they say nothing about the remaining time.
  package var isPart = false
  /// The line with the counts; nil without one.
  package var line: String?

  package init(
    counts: ProgressCounts, source: Source, recogniser: String, note: String? = nil
  ) {
    self.counts = counts
    self.source = source
    self.recogniser = recogniser
    self.note = note
  }
}
