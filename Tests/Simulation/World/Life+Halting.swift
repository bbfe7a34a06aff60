import JobCore
import JobRuntime

// Jobs of one submission that end with its first failure.
extension Life {
  mutating func noteFailure(of number: JobNumber, _ outcome: Outcome) {
    guard [.failed, .expired, .interrupted].contains(outcome), let stem = haltingStem(of: number)
    else { return }
    failedStems.insert(stem)
  }

  /// Whether one of the same submission has failed.
  func isHalted(_ number: JobNumber) -> Bool {
    haltingStem(of: number).map { failedStems.contains($0) } ?? false
  }

  /// The common stem of a submission's keys, if a failure should end all.
  private func haltingStem(of number: JobNumber) -> String? {
    guard let submission = journal.ended[number]?.submission, submission.options.halts else {
      return nil
    }
    return String(submission.key.dropLast(Batch.keyDigits))
  }
}
