import Foundation
import Synchronization

/// The events of this process, one line each, in a file that the next process continues; each line is one
/// write, so that it is complete however the process ends.
final class Diary: Sendable {
  private let descriptor: Int32
  private let counts = Mutex<[String: Int]>([:])
  private let condition = NSCondition()

  init(_ path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }

  func note(_ word: String, _ rest: String = "") {
    let line = Array("\(word) \(rest)\n".utf8)
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    condition.lock()
    counts.withLock { $0[word, default: 0] += 1 }
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until this process has received so many events of a kind.
  func wait(_ word: String, _ count: Int) {
    condition.lock()
    let limit = Date(timeIntervalSinceNow: 120)
    while counts.withLock({ $0[word] ?? 0 }) < count, condition.wait(until: limit) {}
    condition.unlock()
  }
}
