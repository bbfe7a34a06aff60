internal import Foundation
internal import LinuxSystem
internal import Synchronization

/// What a terminal that is closed, or Ctrl-C, means for a program that hosts tasks and is no `App`: what its person
/// has started goes on, and the program ends with it.
enum HostSignals {
  private static let isInstalled = Atomic<Bool>(false)

  /// Listens from the first task on; signals that the program has taken stay its own.
  static func install(for running: RunningTasks) {
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // SIGTERM ends such a program as it always has.
    SignalStop.install(of: SignalStop.ofTerminal) { signal in
      let count = running.continuedCount
      guard !signal.endsWork, count > 0 else { return end(signal, running) }
      StandardError.say(SignalStop.sentence(count))
      running.whenNoneContinued { end(signal, running) }
    }
  }

  /// Stops what still runs, and ends the process as the signal does.
  private static func end(_ number: SignalStop.Number, _ running: RunningTasks) {
    running.stop(TaskLife.Stop(reason: .signal, deadlineNanoseconds: 0)) { _ in {} }
    running.whenNoneContinued {
      _ = signal(number.value, SIG_DFL)
      _ = raise(number.value)
    }
  }
}
