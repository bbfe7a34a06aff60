internal import CLinux
internal import Glibc

extension File {
  /// Kind, size, owner and times; nil when the path does not exist.
  package static func status(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> FileStatus? {
    var raw = clinux_status()
    let result = unsafe clinux_status(path, followingLinks ? 1 : 0, &raw)
    if result == -ENOENT || result == -ENOTDIR { return nil }
    try SystemError.check(result, "examine", path: path)
    return FileStatus(raw)
  }

  /// The status from the kernel's cache; mode and owner are 0.
  ///
  /// On a mount that `MountTable` lists as answering at once, this never waits for a server.
  static func knownStatus(_ path: String) -> FileStatus? {
    var raw = clinux_status()
    return unsafe clinux_known_status(path, &raw) == 0 ? FileStatus(raw) : nil
  }

  /// Whether the path exists and this process may see it.
  package static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Whether the path is a regular file that this process may execute.
  package static func isExecutable(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0 && (try? status(path))??.kind == .file
  }

  /// Throws when this process cannot create files in the folder; creates nothing.
  package static func checkWritable(_ folder: String) throws(SystemError) {
    guard unsafe access(folder, W_OK | X_OK) != 0 else { return }
    throw SystemError("write to", errno, path: folder)
  }

  package static func isDirectory(_ path: String) -> Bool {
    (try? status(path))??.kind == .directory
  }

  /// A fingerprint that changes when one of these files is replaced or modified.
  package static func mark(of paths: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for path in paths {
      let status = knownStatus(path)
      for part in [status?.size ?? 0, UInt64(clamping: status?.modifiedNanoseconds ?? 0)] {
        for byte in 0..<UInt64(8) { hash = (hash ^ (part >> (byte * 8) & 0xFF)) &* 0x100_0000_01b3 }
      }
    }
    return String(hash, radix: 16)
  }

  /// Renames; unless `replacing`, throws `exists` when the other path exists.
  package static func rename(
    _ path: String, to other: String, replacing: Bool = true
  ) throws(SystemError) {
    if !replacing {
      try SystemError.check(unsafe clinux_move_new(path, other), "rename", path: path)
    } else if unsafe Glibc.rename(path, other) != 0 {
      throw SystemError("rename", errno, path: path)
    }
  }

  /// Gives a file a second name (link(2)); throws `exists` when that name is taken.
  package static func addName(_ other: String, to path: String) throws(SystemError) {
    try SystemError.check(unsafe clinux_add_name(path, other), "name", path: other)
  }

  /// Makes a pipe with a name, for this user alone (mkfifo(3)).
  package static func makePipe(_ path: String) throws(SystemError) {
    guard unsafe mkfifo(path, 0o600) == 0 else {
      throw SystemError("make the pipe", errno, path: path)
    }
  }

  /// Removes a file; a missing file is no error.
  package static func remove(_ path: String) throws(SystemError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw SystemError("remove", errno, path: path)
    }
  }

  package static func setPermissions(_ mode: UInt32, _ path: String) throws(SystemError) {
    guard unsafe chmod(path, mode) == 0 else {
      throw SystemError("change the permissions of", errno, path: path)
    }
  }

  /// Makes a symbolic link at `path`, replacing an existing one.
  package static func link(_ path: String, to target: String) throws(SystemError) {
    let beside = "\(path).new-\(RandomBytes.hexadecimal(count: 6))"
    guard unsafe symlink(target, beside) == 0 else {
      throw SystemError("make the link", errno, path: path)
    }
    do throws(SystemError) {
      try rename(beside, to: path)
    } catch {
      try? remove(beside)  // the first error is the one to report
      throw error
    }
  }

  /// Makes a folder; an existing folder is no error.
  package static func makeDirectory(
    _ path: String, permissions: UInt32 = 0o700
  ) throws(SystemError) {
    guard unsafe mkdir(path, permissions) != 0, errno != EEXIST else { return }
    throw SystemError("make the folder", errno, path: path)
  }

  /// Makes a folder and its missing parents.
  package static func makeDirectories(
    _ path: String, permissions: UInt32 = 0o700
  ) throws(SystemError) {
    if isDirectory(path) { return }
    let above = parent(of: path)
    if above != path && above != "." { try makeDirectories(above, permissions: permissions) }
    try makeDirectory(path, permissions: permissions)
  }

  /// Removes an empty folder; false when it is not empty, or not there.
  ///
  /// - Throws: when it is empty and cannot be removed.
  @discardableResult
  package static func removeEmptyDirectory(_ path: String) throws(SystemError) -> Bool {
    if unsafe rmdir(path) == 0 { return true }
    guard ![ENOENT, ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { return false }
    throw SystemError("remove", errno, path: path)
  }

  /// Removes a folder with everything in it; symbolic links are removed, never followed.
  package static func removeTree(_ path: String) throws(SystemError) {
    guard let status = try status(path, followingLinks: false) else { return }
    guard status.kind == .directory else { return try remove(path) }
    for name in try names(in: path) { try removeTree("\(path)/\(name)") }
    guard unsafe rmdir(path) == 0 || errno == ENOENT else {
      throw SystemError("remove", errno, path: path)
    }
  }

  /// The names in a folder without `.` and `..`, unsorted.
  package static func names(in path: String) throws(SystemError) -> [String] {
    var capacity = 1 << 14
    while true {
      var room = [CChar](repeating: 0, count: capacity)
      let result = unsafe clinux_list(path, &room, room.count)
      if result == Int64(-ERANGE) && capacity < 1 << 28 {
        capacity *= 4
        continue
      }
      let used = Int(try SystemError.check(result, "list", path: path))
      return names(room[..<used])
    }
  }

  /// At most a few hundred of the names in a folder; empty only when the folder is empty.
  package static func someNames(in path: String) throws(SystemError) -> [String] {
    var room = [CChar](repeating: 0, count: 1 << 12)
    let result = unsafe clinux_list_some(path, &room, room.count)
    return names(room[..<Int(try SystemError.check(result, "list", path: path))])
  }

  private static func names(_ list: ArraySlice<CChar>) -> [String] {
    list.split(separator: 0).map { name in
      String(decoding: name.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// The path without symbolic links and dots (realpath(3)).
  package static func resolved(_ path: String) throws(SystemError) -> String {
    guard let raw = unsafe realpath(path, nil) else {
      throw SystemError("find", errno, path: path)
    }
    defer { unsafe free(raw) }
    return unsafe String(cString: raw)
  }

  /// The target of a symbolic link (readlink(2)).
  package static func linkTarget(_ path: String) throws(SystemError) -> String {
    var room = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &room, room.count)
    guard count >= 0 else { throw SystemError("read the link", errno, path: path) }
    return String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
