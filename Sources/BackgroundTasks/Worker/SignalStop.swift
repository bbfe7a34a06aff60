internal import Dispatch
internal import Foundation
internal import LinuxSystem
internal import Synchronization

/// Where the signal handler leaves word; a handler may do no more than write to a descriptor.
private let wakeDescriptor = Atomic<Int32>(-1)

/// Turns the first SIGTERM, SIGINT or SIGHUP into a stop of the task, so that a job that is ended by
/// hand or with its session still cleans up; a second one ends the process.
///
/// Handlers, not blocked or ignored signals: those would be passed on to programs that the job starts.
enum SignalStop {
  private static let numbers = [Signal.terminate, Signal.interrupt, Signal.hangup]

  /// Signals that the job itself has taken stay its own.
  static func install(_ action: @escaping @Sendable (TaskLife.Stop) -> Void) {
    // Without a pipe signals act as they always do.
    guard var pipe = try? LinuxSystem.Pipe() else { return }
    let ours = numbers.filter(isDefault)
    // Both ends stay open as long as the process lives.
    wakeDescriptor.store(pipe.takeWriting().take(), ordering: .releasing)
    let source = DispatchSource.makeReadSource(
      fileDescriptor: pipe.takeReading().take(), queue: .errands)
    source.setEventHandler {
      source.cancel()
      for number in ours { _ = signal(number, SIG_DFL) }
      action(TaskLife.Stop(reason: .signal, deadlineNanoseconds: 0))
    }
    source.activate()
    for number in ours { _ = signal(number, note) }
  }

  private static func isDefault(_ number: Int32) -> Bool {
    var current = sigaction()
    guard unsafe sigaction(number, nil, &current) == 0 else { return false }
    return unsafe current.__sigaction_handler.sa_handler == nil
  }

  /// The handler itself (`man 7 signal-safety`); `errno` is the interrupted code's.
  private static let note: @convention(c) (Int32) -> Void = { _ in
    let saved = errno
    var byte: UInt8 = 1
    _ = unsafe write(wakeDescriptor.load(ordering: .acquiring), &byte, 1)
    errno = saved
  }
}
