package import JobCore
package import JobWire

extension JobStatus {
  /// Takes over what its submission asked for.
  package mutating func describe(_ submission: Submission, _ details: JobDetails) {
    kind = submission.options.kind
    earliest = submission.notBefore
    requires = RequirementText.format(submission.options.requirements)
    after = submission.after.needingSuccess
    afterAny = submission.after.needingAnyEnd
    onEnd = details.onEnd
    command = details.executed?.command
    directory = details.executed?.directory
    input = details.input.text
    recurrence = details.recurrence
    environment = details.environment
  }
}

extension JobDetails {
  /// Python holds back what it prints to a file until it ends, so that nobody sees how far it is.
  package static let unbuffered = (name: "PYTHONUNBUFFERED", value: "1")

  /// What is added to the environment of the worker, as `NAME=VALUE`.
  package var environment: [String] {
    unbuffersPython ? ["\(Self.unbuffered.name)=\(Self.unbuffered.value)"] : []
  }
}
