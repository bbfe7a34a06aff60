import Glibc

/// A system call that a test needs failed: its name, what it was applied to, and `errno`.
package struct SystemCallFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var operation: String
  package var code: Int32

  package init(_ operation: String, code: Int32 = errno) {
    self.operation = operation
    self.code = code
  }

  package var description: String {
    "\(operation): \(unsafe String(cString: strerror(code)))"
  }
}
