/// A submission, with its often-used properties.
///
/// On the heap, because it hardly ever changes and jobs are copied and moved a lot.
final class JobTerms: Sendable {
  let submission: Submission
  /// Its row in the line.
  let row: LineRow
  /// Whether the runner picks the moment for the sake of a bundle.
  let isDiscretionary: Bool
  /// Of the key and the identifier, for the `LiveJobs`.
  let keyHash: UInt32
  let identifierHash: UInt32

  init(_ submission: Submission) {
    self.submission = submission
    row = LineRow(
      submission.options.priority, submission.options.requirements.resources)
    isDiscretionary = submission.isDiscretionary
    keyHash = placeHash(submission.key)
    identifierHash = placeHash(submission.identifier.text)
  }

  /// For an unused index.
  static let vacant = JobTerms(
    Submission(key: "", identifier: JobIdentifier(trusted: "vacant"), speaksPage: false))
}
