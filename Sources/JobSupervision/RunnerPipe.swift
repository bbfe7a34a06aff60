package import JobPage
package import LinuxSystem

/// The way to the runner that started this supervisor, as long as it is there: it is sent every line of
/// the record.
package final class RunnerPipe {
  private let pipe: FileDescriptor

  package init(owning pipe: consuming FileDescriptor) {
    self.pipe = pipe
  }

  /// For the worker's own line.
  var number: Int32 { pipe.number }

  package func send(_ line: RunRecord.Line) {
    // The runner may be gone: a later one reads the record.
    _ = try? pipe.write(Array(line.text.utf8))
  }
}
