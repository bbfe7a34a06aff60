import LinuxSystem

/// Unused names.
package enum FreshName {
  /// Completes an identifier: eight letters and digits, so that a hundred thousand live jobs still
  /// differ (with four, one submission in seventeen would replace another).
  package static func suffix() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    // 252 is the last multiple of 36 below 256: above it the first letters would be more likely.
    let bytes = RandomBytes.make(count: 32).filter { $0 < 252 }.prefix(8)
    return String(decoding: bytes.map { letters[Int($0) % letters.count] }, as: UTF8.self)
  }

  /// The key of one submission, the same for all its repetitions: 32 hexadecimal digits.
  package static func key() -> String { RandomBytes.hexadecimal(count: 16) }
}
