internal import JobPage
internal import LinuxSystem

/// The files that the worker's output goes to in place of its log.
///
/// The first attempt empties a file, as a shell does; later ones go on in it.
struct WorkerOutput: ~Copyable {
  let output: FileDescriptor
  let errors: FileDescriptor

  /// - Throws: when a file cannot be opened: the output would be lost.
  static func open(
    _ order: LaunchOrder, _ log: borrowing FileDescriptor
  ) throws(SystemError) -> WorkerOutput {
    let isFirst = order.heading.isEmpty
    let isShared = order.standardError == order.standardOutput
    let output = try open(order.standardOutput, isFirst: isFirst, log)
    let errors = try open(order.standardError, isFirst: isFirst && !isShared, log)
    return WorkerOutput(output: output, errors: errors)
  }

  private static func open(
    _ path: String?, isFirst: Bool, _ log: borrowing FileDescriptor
  ) throws(SystemError) -> FileDescriptor {
    guard let path else { return try log.duplicate() }
    return try open(path, isFirst: isFirst)
  }

  static func open(_ path: String, isFirst: Bool) throws(SystemError) -> FileDescriptor {
    // A pipe without a reader must not block this process.
    var mode: File.Mode = [.write, .append, .create, .nonblocking, .noTerminal]
    if isFirst { mode.insert(.truncate) }
    let file = try openInFolder(path, mode)
    try file.setNonblocking(false)
    return file
  }

  /// Makes the folders that are missing.
  private static func openInFolder(
    _ path: String, _ mode: File.Mode
  ) throws(SystemError) -> FileDescriptor {
    let folder = File.parent(of: path)
    if !File.isDirectory(folder) { try File.makeDirectories(folder, permissions: 0o777) }
    return try File.open(path, mode, permissions: 0o666)
  }
}
