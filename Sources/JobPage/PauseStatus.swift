internal import LinuxSystem

/// The only part of a job's page that its supervisor reads.
package enum PauseStatus {
  /// Whether the job is to be paused; nil when the page is gone or truncated.
  package static func isPaused(page path: String) -> Bool? {
    guard let file = try? File.open(path, [.read, .noFollow, .nonblocking]),
      let bytes = try? file.read(at: UInt64(PageLayout.pauseMark), maximum: 8), bytes.count == 8
    else { return nil }
    // Little-endian: the lowest bit is in the first byte.
    return bytes[0] % 2 == 1
  }
}
