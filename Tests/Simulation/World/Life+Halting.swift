import JobCore
import JobRuntime

// Jobs of one submission that end with a failure, or a success, of one of them.
extension Life {
  mutating func noteFailure(of number: JobNumber, _ outcome: Outcome) {
    guard let options = journal.ended[number]?.submission.options,
      options.haltsOnSuccess
        ? outcome == .succeeded : [.failed, .expired, .interrupted].contains(outcome),
      let stem = haltingStem(of: number)
    else { return }
    failedStems.insert(stem)
  }

  /// Whether one of the same submission has ended so that the others end, too.
  func isHalted(_ number: JobNumber) -> Bool {
    haltingStem(of: number).map { failedStems.contains($0) } ?? false
  }

  /// The common stem of a submission's keys, if the end of one may end all.
  private func haltingStem(of number: JobNumber) -> String? {
    guard let submission = journal.ended[number]?.submission, submission.options.halts else {
      return nil
    }
    return String(submission.key.dropLast(Batch.keyDigits))
  }
}
