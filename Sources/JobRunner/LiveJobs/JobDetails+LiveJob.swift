import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension JobDetails {
  /// Adds the public part of the executed command, and the differences of its environment.
  mutating func learn(from specification: LaunchSpecification, _ own: RunnerTerms?) {
    executed = ExecutedCommand(
      directory: specification.directory,
      arguments: hidesCommand ? [] : specification.arguments)
    limits = specification.terms.flatMap { own?.differences(of: $0) } ?? []
    unbuffersPython = specification.value(of: Self.unbuffered.name) == nil
  }

  /// The signal that the worker gets before its `limit`; nil = none.
  func warning(before limit: Interval?) -> LaunchOrder.LimitWarning? {
    guard let warnMilliseconds, let limit else { return nil }
    let after = limit.milliseconds - min(warnMilliseconds, limit.milliseconds)
    return LaunchOrder.LimitWarning(
      afterMilliseconds: after, signal: warnSignal == 0 ? Signal.user1 : warnSignal)
  }
}
