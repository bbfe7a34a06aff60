internal import Foundation
internal import LinuxSystem
internal import Synchronization

/// Handles a closed terminal, or Ctrl-C, in a program that hosts tasks without being an `App`: tasks that a
/// person has started continue, and the program exits with the last of them.
enum HostSignals {
  private static let isInstalled = Atomic<Bool>(false)

  /// Listens from the first task on; signals that the program has taken stay its own.
  static func install(for running: RunningTasks) {
    guard !isInstalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // SIGTERM has its default effect.
    SignalStop.install(of: SignalStop.ofTerminal) { signal in
      let count = running.continuedCount
      guard !signal.endsWork, count > 0 else { return end(signal, running) }
      StandardError.say(SignalStop.sentence(count))
      running.whenNoneContinued { end(signal, running) }
    }
  }

  /// Stops all running tasks, and ends the process as the signal does.
  private static func end(_ number: SignalStop.Number, _ running: RunningTasks) {
    running.stop(TaskLife.Stop(reason: .signal, deadlineNanoseconds: 0)) { _ in {} }
    running.whenNoneContinued {
      _ = signal(number.value, SIG_DFL)
      _ = raise(number.value)
    }
  }
}
