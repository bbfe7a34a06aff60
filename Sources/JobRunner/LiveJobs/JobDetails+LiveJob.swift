import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire

extension JobDetails {
  /// Adds the public part of the executed command, and the differences of its environment.
  mutating func learn(from specification: LaunchSpecification, _ own: RunnerTerms?) {
    executed = ExecutedCommand(
      directory: specification.directory,
      arguments: hidesCommand ? [] : specification.arguments)
    limits = specification.terms.flatMap { own?.differences(of: $0) } ?? []
    unbuffersPython = specification.value(of: Self.unbuffered.name) == nil
  }
}
