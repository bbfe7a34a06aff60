import Glibc

/// A failed system call of a test: its name, its object, and `errno`.
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
