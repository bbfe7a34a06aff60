package import JobPage
package import LinuxSystem

/// The pipe to the runner that started this supervisor: while that lives, it gets every line of the record.
package final class RunnerPipe {
  private let pipe: FileDescriptor

  package init(owning pipe: consuming FileDescriptor) {
    self.pipe = pipe
  }

  /// For the line that the worker's process writes.
  var number: Int32 { pipe.number }

  package func send(_ line: RunRecord.Line) {
    // The runner may be gone: a later one reads the record.
    _ = try? pipe.write(Array(line.text.utf8))
  }
}
