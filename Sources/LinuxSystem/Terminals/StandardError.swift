internal import Glibc

/// This process's standard error, written to without a buffer.
package enum StandardError {
  /// Writes as much as is taken: there is nowhere to tell that telling failed.
  package static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
