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
