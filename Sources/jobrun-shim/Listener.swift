internal import JobPage
internal import LinuxSystem

/// The runner that started this shim, as long as it is there: it hears every line of the record.
final class Listener {
  private let pipe: FileDescriptor

  init(owning pipe: consuming FileDescriptor) {
    self.pipe = pipe
  }

  /// For the worker's own line.
  var number: Int32 { pipe.number }

  func hear(_ line: RunRecord.Line) {
    // The runner may be gone: a later one reads the record.
    _ = try? pipe.write(Array(line.text.utf8))
  }
}
