internal import Dispatch
internal import Foundation
internal import LinuxSystem

/// Waits until this process is idle: none of its threads computes, and its scheduler has no current calls.
///
/// Much code completes its task first and submits the next request after that, from any thread. How long that
/// takes is unknown, especially on a busy machine; so the threads themselves are checked, and a thread that
/// waits for a processor keeps the process alive.
struct ProcessRest: Sendable {
  let calls: Calls

  /// The time between checks; the process is idle after two idle checks in a row.
  private static let pause = DispatchTimeInterval.milliseconds(10)

  /// Calls `action` once the process rests.
  func whenReached(_ action: @escaping @Sendable () -> Void) {
    look(wasAtRest: false, action)
  }

  private func look(wasAtRest: Bool, _ action: @escaping @Sendable () -> Void) {
    DispatchQueue.errands.asyncAfter(deadline: .now() + Self.pause) {
      let isAtRest = calls.isEmpty && !Self.isBusy
      if isAtRest, wasAtRest { return action() }
      look(wasAtRest: isAtRest, action)
    }
  }

  /// Whether a thread other than the calling one computes, waits for a processor or for a disk.
  private static var isBusy: Bool {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let number = own.map { URL(fileURLWithPath: $0).lastPathComponent }
    // Without /proc the threads are unknown; then one pause has to do.
    guard let threads = try? File.names(in: "/proc/self/task") else { return false }
    return threads.contains { thread in
      thread != number && "RD".contains(state(of: thread) ?? "S")
    }
  }

  /// The letter of `man 5 proc_pid_stat`, after the name in parentheses.
  private static func state(of thread: String) -> Character? {
    guard let bytes = try? File.readAll("/proc/self/task/\(thread)/stat", limit: 4096) else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
  }
}
