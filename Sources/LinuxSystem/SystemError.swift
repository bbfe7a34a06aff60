internal import CLinux

/// A failed system call: the operation, its object, and the kernel's error.
///
/// `description` is a sentence without a full stop, such as `cannot open /tmp/x: No such file or
/// directory`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation as a verb: "open", "connect to".
  package var operation: String
  /// The error number of errno(3).
  package var number: Int32
  /// The path concerned; nil when the operation says it all.
  package var path: String?
  /// A more exact reason than the error number gives; nil when there is none.
  package var cause: String?

  package init(_ operation: String, _ number: Int32, path: String? = nil, cause: String? = nil) {
    self.operation = operation
    self.number = number
    self.path = path
    self.cause = cause
  }

  /// The disk or the quota of this user is full; freeing space may help.
  package var isNoRoom: Bool { number == Self.noSpace || number == Self.quotaExceeded }

  /// The machine lacks something temporarily: memory, processes, descriptors, space, or a writable disk.
  package var isShortage: Bool {
    let numbers = [
      Self.wouldBlock, Self.noMemory, Self.tooManyFiles, Self.tooManyFilesOfOurs, Self.readOnly,
    ]
    return isNoRoom || numbers.contains(number)
  }

  /// The cause may go away: a shortage, a missing permission to write, or a failing disk.
  package var isTransient: Bool {
    isShortage || number == Self.accessDenied || number == Self.inputOutput
  }

  /// The cause, else the words for the error number.
  package var reason: String { cause ?? Self.reason(of: number) }

  package var description: String {
    let object = path.map { " \($0)" } ?? ""
    return "cannot \(operation)\(object): \(reason)"
  }

  /// The words for an error number, in English.
  package static func reason(of number: Int32) -> String {
    unsafe String(cString: clinux_error_text(number))
  }

  /// Checks the result of a C shim: 0 or more, or a negative error number, which is thrown.
  @discardableResult
  static func check<Result: FixedWidthInteger & SignedInteger>(
    _ result: Result, _ operation: @autoclosure () -> String, path: String? = nil
  ) throws(SystemError) -> Result {
    guard result < 0 else { return result }
    throw SystemError(operation(), Int32(truncatingIfNeeded: 0 - result), path: path)
  }
}

extension SystemError {
  // The error numbers that callers use by name (errno(3)).
  package static let notPermitted: Int32 = 1
  package static let notFound: Int32 = 2
  package static let noProcess: Int32 = 3
  package static let interrupted: Int32 = 4
  package static let wouldBlock: Int32 = 11
  /// A pipe with a name has no reader (ENXIO).
  package static let noReader: Int32 = 6
  /// ENOEXEC: no program that the kernel knows.
  package static let notExecutable: Int32 = 8
  package static let noMemory: Int32 = 12
  package static let accessDenied: Int32 = 13
  package static let inputOutput: Int32 = 5  // EIO
  package static let badAddress: Int32 = 14
  package static let exists: Int32 = 17
  package static let notDirectory: Int32 = 20
  package static let invalid: Int32 = 22
  package static let tooManyFiles: Int32 = 23
  package static let tooManyFilesOfOurs: Int32 = 24
  package static let tooLarge: Int32 = 27
  package static let noSpace: Int32 = 28
  package static let readOnly: Int32 = 30
  /// The reader of a pipe has closed it.
  package static let brokenPipe: Int32 = 32
  package static let notImplemented: Int32 = 38
  package static let notSupported: Int32 = 95
  package static let addressInUse: Int32 = 98
  package static let connectionRefused: Int32 = 111
  /// ESTALE: the file is on another machine and no longer exists there.
  package static let stale: Int32 = 116
  package static let quotaExceeded: Int32 = 122
}
