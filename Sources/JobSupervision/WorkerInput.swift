internal import JobPage
internal import LinuxSystem

/// Opens the standard input of the worker.
enum WorkerInput {
  /// - Throws: when it is not the requested input: a job with empty input by mistake would succeed.
  static func open(
    _ input: LaunchOrder.Input, passed: consuming FileDescriptor?
  ) throws(SystemError) -> FileDescriptor {
    switch input {
    case .nothing, .terminal: return try File.open("/dev/null")
    case .passed:
      guard let passed else {
        throw SystemError("take over the standard input", SystemError.notFound)
      }
      return passed
    case .file(let path, let bytes):
      // A pipe in the place of the file must not block this process.
      let file = try File.open(path, [.read, .noTerminal, .nonblocking])
      let status = try file.status()
      switch status.kind {
      case .file where bytes == nil || bytes == status.size: break
      case .characterDevice where !Terminal.isTerminal(file.number): break
      case .blockDevice: break
      default: throw SystemError("use as standard input", SystemError.invalid, path: path)
      }
      try file.setNonblocking(false)
      return file
    }
  }
}
