internal import CLinux
internal import Glibc

/// Files by path: opening, and reading and writing whole contents.
///
/// Paths are Swift strings; directories and arguments of workers, which may hold any bytes, are byte
/// arrays.
package enum File {
  /// How to open a file; always close-on-exec.
  package struct Mode: OptionSet, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Specialized: the generic initializer costs a starting process 0.1 ms.
    package init(arrayLiteral modes: Mode...) {
      rawValue = modes.reduce(0) { $0 | $1.rawValue }
    }

    package static let read = Mode(rawValue: 1)
    package static let write = Mode(rawValue: 2)
    /// Every write goes to the end.
    package static let append = Mode(rawValue: 4)
    /// Creates the file when it is missing.
    package static let create = Mode(rawValue: 8)
    /// With `create`: throws `exists` when the file exists.
    package static let exclusive = Mode(rawValue: 16)
    package static let truncate = Mode(rawValue: 32)
    /// Refuses a symbolic link at the end of the path.
    package static let noFollow = Mode(rawValue: 64)
    package static let nonblocking = Mode(rawValue: 128)
    package static let directory = Mode(rawValue: 256)
    /// Opens only the location in the file system (O_PATH).
    package static let path = Mode(rawValue: 512)

    /// Does not make an opened terminal the controlling terminal of this process (O_NOCTTY).
    package static let noTerminal = Mode(rawValue: 1024)
    /// A write returns once the data is on the disk or at the file server (O_DSYNC).
    package static let synchronous = Mode(rawValue: 2048)

    var flags: Int32 {
      var flags = contains(.write) ? (contains(.read) ? O_RDWR : O_WRONLY) : O_RDONLY
      if contains(.append) { flags |= O_APPEND }
      if contains(.create) { flags |= O_CREAT }
      if contains(.exclusive) { flags |= O_EXCL }
      if contains(.truncate) { flags |= O_TRUNC }
      if contains(.noFollow) { flags |= O_NOFOLLOW }
      if contains(.nonblocking) { flags |= O_NONBLOCK }
      if contains(.directory) { flags |= O_DIRECTORY }
      if contains(.noTerminal) { flags |= O_NOCTTY }
      if contains(.synchronous) { flags |= O_DSYNC }
      if contains(.path) { flags |= placeOnly }
      return flags
    }
  }

  /// Opens a file; a new one gets `permissions`, less the process's umask.
  package static func open(
    _ path: String, _ mode: Mode = .read, permissions: UInt32 = 0o600
  ) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try SystemError.check(
        unsafe clinux_open(path, mode.flags, permissions), "open", path: path))
  }

  /// The whole content; throws `tooLarge` past `limit` bytes.
  package static func readAll(
    _ path: String, limit: Int = 64 << 20
  ) throws(SystemError) -> [UInt8] {
    let descriptor = try open(path)
    do throws(SystemError) {
      return try descriptor.readToEnd(limit: limit)
    } catch {
      throw SystemError(error.operation, error.number, path: path)
    }
  }

  /// Replaces the content in one step: a reader sees either the old or the new content.
  ///
  /// With `durable`, that also holds after a power cut (fsync(2) of the file and of its folder).
  package static func writeAtomically(
    _ bytes: [UInt8], to path: String, permissions: UInt32 = 0o600, durable: Bool = false
  ) throws(SystemError) {
    let beside = "\(path).new-\(RandomBytes.hexadecimal(count: 6))"
    do throws(SystemError) {
      let descriptor = try open(
        beside, [.write, .create, .exclusive, .noFollow], permissions: permissions)
      try descriptor.writeAll(bytes)
      if durable { try descriptor.synchronise() }
      try rename(beside, to: path)
      if durable { try synchroniseDirectory(of: path) }
    } catch {
      try? remove(beside)  // the first error is the one to report
      throw SystemError(error.operation, error.number, path: path)
    }
  }

  /// Makes a rename or a new file in the folder of `path` survive a power cut.
  package static func synchroniseDirectory(of path: String) throws(SystemError) {
    try open(parent(of: path), [.read, .directory]).synchronise()
  }

  /// Makes all writes to the file system of `path` survive a power cut (syncfs(2)): one wait for many
  /// files.
  package static func synchroniseAll(at path: String) throws(SystemError) {
    let folder = try open(path, [.read, .directory])
    try SystemError.check(clinux_synchronise_all(folder.number), "synchronise", path: path)
  }

  /// Everything before the last component: `/a/b` → `/a`, `b` → `.`.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// O_PATH, which Glibc's module lacks.
  private static let placeOnly: Int32 = 0o10000000
}
