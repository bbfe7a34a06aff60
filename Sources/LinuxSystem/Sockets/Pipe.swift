internal import CLinux

/// A pipe (pipe(7)), both ends close-on-exec.
package struct Pipe: ~Copyable {
  package var reading: FileDescriptor?
  package var writing: FileDescriptor?

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try SystemError.check(unsafe clinux_pipe(&ends), "make a pipe")
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  /// Moves the reading end out; -1 inside when it was taken before.
  package mutating func takeReading() -> FileDescriptor {
    reading.take() ?? FileDescriptor(owning: -1)
  }

  /// Moves the writing end out; -1 inside when it was taken before.
  package mutating func takeWriting() -> FileDescriptor {
    writing.take() ?? FileDescriptor(owning: -1)
  }
}
