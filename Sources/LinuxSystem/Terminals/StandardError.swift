internal import Glibc

/// The standard error of this process, unbuffered.
package enum StandardError {
  /// Writes as much as possible: a failure to report has nowhere to be reported.
  package static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
