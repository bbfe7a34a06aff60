import LinuxSystem

/// The identity of a file, independent of its name: another file at the same name has another mark.
struct FileMark: Hashable {
  private let device: UInt64
  private let node: UInt64

  init(_ status: FileStatus) {
    (device, node) = (status.device, status.node)
  }

  /// The file at `path` itself, without following links; nil if there is none.
  init?(path: String) {
    guard let status = (try? File.status(path, followingLinks: false)) ?? nil else { return nil }
    self.init(status)
  }

  /// All files that this process has open, whatever their current names; nil if unknown.
  static func ofOpenFiles() -> Set<FileMark>? {
    let folder = "/proc/self/fd"
    guard let names = try? File.names(in: folder) else { return nil }
    return Set(
      names.compactMap { ((try? File.status("\(folder)/\($0)")) ?? nil).map { FileMark($0) } })
  }
}
