import JobCore
import JobPage
import JobStore
import JobWire

extension JobDetails {
  /// Takes over what is to be executed, as far as others may see it, and what its environment lacks.
  mutating func learn(from specification: LaunchSpecification) {
    executed = ExecutedCommand(
      directory: specification.directory,
      arguments: hidesCommand ? [] : specification.arguments)
    let name = Array("\(Self.unbuffered.name)=".utf8)
    unbuffersPython = !specification.environment.contains { $0.starts(with: name) }
  }

  /// Python holds back what it prints to a file until it ends, so that nobody sees how far it is.
  static let unbuffered = (name: "PYTHONUNBUFFERED", value: "1")

  /// What is added to the environment of the worker, as `NAME=VALUE`.
  var environment: [String] {
    unbuffersPython ? ["\(Self.unbuffered.name)=\(Self.unbuffered.value)"] : []
  }
}

extension JobRow {
  /// What was asked of the job beside what the core decides; what cannot be read is as usual.
  var asked: JobDetails {
    get {
      var asked = (try? JobDetails(json: details)) ?? JobDetails()
      asked.executed = executed.map(ExecutedCommand.init(packed:))
      return asked
    }
    set {
      executed = newValue.executed?.packed
      details = newValue.json
    }
  }
}

extension JobObject {
  /// Takes over what its submission asked for.
  mutating func describe(_ submission: Submission, _ details: JobDetails) {
    kind = submission.kind
    earliest = submission.notBefore
    requires = RequirementText.format(submission.requirements)
    after = submission.after.needingSuccess
    afterAny = submission.after.needingAnyEnd
    command = details.executed?.command
    directory = details.executed?.directory
    input = details.input.text
    recurrence = details.recurrence
    environment = details.environment
  }
}
