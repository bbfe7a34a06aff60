import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire

extension JobDetails {
  /// Takes over what is to be executed, as far as others may see it, and what its environment lacks.
  mutating func learn(from specification: LaunchSpecification, _ own: RunnerTerms?) {
    executed = ExecutedCommand(
      directory: specification.directory,
      arguments: hidesCommand ? [] : specification.arguments)
    limits = specification.terms.flatMap { own?.differences(of: $0) } ?? []
    unbuffersPython = specification.value(of: Self.unbuffered.name) == nil
  }
}

extension StoredJob {
  /// What was asked of the job beside what the core decides; what cannot be read is as usual.
  var asked: JobDetails {
    get {
      var asked = (try? JobDetails(json: details)) ?? JobDetails()
      asked.executed = executed.map(ExecutedCommand.init(packed:))
      asked.onEnd = onEnd
      return asked
    }
    set {
      executed = newValue.executed?.packed
      onEnd = newValue.onEnd
      details = newValue.json
    }
  }
}
