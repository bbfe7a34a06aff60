import JobCore
import JobWire

extension JobObject {
  /// Takes over what its submission asked for.
  mutating func describe(_ submission: Submission) {
    kind = submission.kind
    earliest = submission.notBefore
    requires = RequirementText.format(submission.requirements)
    after = submission.after.map(\.number)
  }
}
