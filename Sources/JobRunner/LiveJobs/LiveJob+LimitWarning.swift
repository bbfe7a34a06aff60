import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

extension LiveJob {
  /// The signal that its worker gets before its limit; nil = none.
  var limitWarning: LaunchOrder.LimitWarning? {
    guard let before = details.warnMilliseconds, let limit = submission.options.limit else {
      return nil
    }
    let signal = details.warnSignal == 0 ? Signal.user1 : details.warnSignal
    let after = limit.milliseconds - min(before, limit.milliseconds)
    return LaunchOrder.LimitWarning(afterMilliseconds: after, signal: signal)
  }
}
