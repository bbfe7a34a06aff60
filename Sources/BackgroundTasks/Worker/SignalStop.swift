internal import Dispatch
internal import Foundation
internal import LinuxSystem
internal import Synchronization

/// The descriptor that the signal handler writes to, which is all that a handler may do.
private let wakeDescriptor = Atomic<Int32>(-1)

/// Turns SIGTERM, SIGINT and SIGHUP into calls, so that a job that is ended by hand or with its session can
/// clean up; the last one ends the process.
///
/// Handlers, not blocked or ignored signals: child processes would inherit those.
enum SignalStop {
  /// One of the signals.
  struct Number: Hashable, Sendable {
    let value: Int32
    /// A closed terminal or Ctrl-C leaves the program, and tasks that were started on purpose continue; a
    /// second Ctrl-C stops them, too. (A shell that ends may add a SIGHUP to that of its terminal.)
    let endsWork: Bool
  }

  private static let numbers = [Signal.terminate] + ofTerminal
  /// The signals with a handler of this type.
  private static let handled = Mutex<Set<Int32>>([])
  /// The signals by which a person leaves a program.
  static let ofTerminal = [Signal.interrupt, Signal.hangup]

  /// The message about continuing tasks.
  static func sentence(_ count: Int) -> String {
    count == 1
      ? "1 task is still running; press Ctrl-C again to end it"
      : "\(count) tasks are still running; press Ctrl-C again to end them"
  }

  /// Stops a worker's task at the first signal; a second one ends the process.
  static func stopOnce(_ action: @escaping @Sendable (TaskLife.Stop) -> Void) {
    install(sparesWork: false) { _ in
      action(TaskLife.Stop(reason: .signal, deadlineNanoseconds: 0))
    }
  }

  /// Calls `action` for each signal of the list that has its default action.
  ///
  /// Signals with the job's own handlers are left alone; after a signal that ends the work, the default action
  /// is restored. A call with a signal that no call had before takes over the signals of the earlier ones.
  static func install(
    of numbers: [Int32] = SignalStop.numbers, sparesWork: Bool = true,
    _ action: @escaping @Sendable (Number) -> Void
  ) {
    handled.withLock { handled in
      let free = numbers.filter(isDefault)
      guard !free.isEmpty, install(of: free + handled, sparesWork: sparesWork, action)
      else { return }
      handled.formUnion(free)
    }
  }

  private static func install(
    of ours: [Int32], sparesWork: Bool, _ action: @escaping @Sendable (Number) -> Void
  ) -> Bool {
    // Without a pipe signals act as they always do.
    guard var pipe = try? LinuxSystem.Pipe() else { return false }
    let reading = pipe.takeReading().take()
    var interrupts = 0
    // Both ends stay open as long as the process lives.
    wakeDescriptor.store(pipe.takeWriting().take(), ordering: .releasing)
    let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: .errands)
    source.setEventHandler {
      var number: UInt8 = 0
      guard unsafe read(reading, &number, 1) == 1 else { return }
      if Int32(number) == Signal.interrupt { interrupts += 1 }
      let endsWork = !sparesWork || Int32(number) == Signal.terminate || interrupts > 1
      if endsWork {
        source.cancel()
        for number in ours { _ = signal(number, SIG_DFL) }
      }
      action(Number(value: Int32(number), endsWork: endsWork))
    }
    source.activate()
    for number in ours { _ = signal(number, note) }
    return true
  }

  private static func isDefault(_ number: Int32) -> Bool {
    var current = sigaction()
    guard unsafe sigaction(number, nil, &current) == 0 else { return false }
    return unsafe current.__sigaction_handler.sa_handler == nil
  }

  /// The handler itself (`man 7 signal-safety`); `errno` is the interrupted code's.
  private static let note: @convention(c) (Int32) -> Void = { number in
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(wakeDescriptor.load(ordering: .acquiring), &byte, 1)
    errno = saved
  }
}
