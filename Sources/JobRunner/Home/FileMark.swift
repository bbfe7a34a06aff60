import LinuxSystem

/// Which file it is, whatever its name: another at the same name has another mark.
struct FileMark: Hashable {
  private let device: UInt64
  private let node: UInt64

  init(_ status: FileStatus) {
    (device, node) = (status.device, status.node)
  }

  /// What is at `path` itself; nil when nothing is.
  init?(path: String) {
    guard let status = (try? File.status(path, followingLinks: false)) ?? nil else { return nil }
    self.init(status)
  }

  /// All that this process has open, whatever is at their names by now; nil when that cannot be told.
  static func ofOpenFiles() -> Set<FileMark>? {
    let folder = "/proc/self/fd"
    guard let names = try? File.names(in: folder) else { return nil }
    return Set(
      names.compactMap { ((try? File.status("\(folder)/\($0)")) ?? nil).map { FileMark($0) } })
  }
}
