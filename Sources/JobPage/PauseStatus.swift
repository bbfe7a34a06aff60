internal import LinuxSystem

/// A supervisor's look at the page of its job: nothing else of it concerns a supervisor.
package enum PauseStatus {
  /// Whether the job is to be paused; nil when the page does not tell, as it is gone or cut short.
  package static func isPaused(page path: String) -> Bool? {
    guard let file = try? File.open(path, [.read, .noFollow, .nonblocking]),
      let bytes = try? file.read(at: UInt64(PageLayout.pauseMark), maximum: 8), bytes.count == 8
    else { return nil }
    // Little-endian: the first byte holds what makes it odd.
    return bytes[0] % 2 == 1
  }
}
