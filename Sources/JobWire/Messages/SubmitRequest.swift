package import JobCore

/// A job ready to be accepted: definition resolved, identifier composed, defaults applied.
///
/// The CLI and `BackgroundTasks` write it. The launch specification (folder, arguments, environment) travels
/// beside the line in a memfd, because it may be large and have arbitrary bytes.
package struct SubmitRequest: Hashable, Sendable {
  /// Random, 16…64 letters and digits, unique in the store: the same key is the same submission.
  package var key: String
  package var identifier: String
  /// The definition's short name; nil for a plain command.
  package var definition: String?
  package var title: String
  package var subtitle = ""
  /// The bundle's identifier; a scheduled request must have it.
  package var bundle: String?
  /// Its bundle permits the identifier explicitly: it need not be under the bundle's.
  package var isListed = false
  /// It does not start before this time of day; nil = as soon as it can.
  package var notBefore: WallTime?
  /// It does not start until a person releases it.
  package var isHeld = false
  /// The mark of the scheduler in the submitting process that hosts the job, 16…64 letters and digits; nil =
  /// the runner launches the specification beside the line.
  package var host: String?
  /// The jobs that must succeed before it starts; without duplicates, at most `Limits.prerequisites`.
  package var after: [JobNumber] = []
  /// The jobs that have to end before it starts, however they end; the same bounds.
  package var afterAny: [JobNumber] = []
  /// The alternatives of which one must succeed before it starts; the same limits.
  package var afterOne: [JobNumber] = []
  /// On this machine it runs without its files being moved; otherwise it is refused here.
  package var filesMayStay = false
  package var options: Submission.Options
  package var details = JobDetails()

  package init(key: String, identifier: String, title: String, speaksPage: Bool) {
    self.key = key
    self.identifier = identifier
    self.title = title
    options = Submission.Options(speaksPage: speaksPage)
  }
}
