internal import CLinux
internal import Glibc

/// A path that only this user and root can have created or can change.
///
/// Every folder from the root on, every link on the way, and the target itself must belong to this user or
/// to root and must not be writable by anybody else. A world-writable folder on the way is accepted when it
/// is sticky, as `/tmp` is: only the owner of an entry can replace it there. A group may write when it is
/// this user's own (`PrivateGroup`) and no access list grants more.
///
/// The checks are made on opened descriptors, one component after the other, so that nothing can be
/// exchanged between check and use.
package enum TrustedPath {
  /// Why a path is not trusted.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    /// The problem: `belongs to user 1001`.
    package let reason: String

    package var description: String { "\(path) \(reason)" }

    /// The problem and the remedy, in one sentence.
    package var sentence: String {
      "\(self); it must belong to you or root, and nobody else may be able to write to it"
    }
  }

  /// The kernel's own limit (path_resolution(7)).
  private static let maximumLinks = 40

  /// Opens a file for reading; `path` is absolute, and `owner` is trusted, too.
  ///
  /// Anything but a regular file (a named pipe, a device) is refused without waiting for it.
  package static func open(
    _ path: String, trusting owner: UInt32? = nil
  ) throws(Problem) -> FileDescriptor {
    let checked = try descend(path, .file, owner)
    do throws(SystemError) {
      return try File.open("/proc/self/fd/\(checked.number)", [.read, .nonblocking])
    } catch {
      throw Problem(path: path, reason: "cannot be read: \(error.reason)")
    }
  }

  /// The whole content of the file at the absolute path; nil when there is no file.
  package static func read(_ path: String, limit: Int) throws(Problem) -> [UInt8]? {
    guard File.exists(path) else { return nil }
    let file = try open(path)
    do throws(SystemError) {
      return try file.readToEnd(limit: limit)
    } catch {
      throw Problem(path: path, reason: "cannot be read: \(error.reason)")
    }
  }

  /// Throws when the folder at the absolute path is not trusted; while it does not exist, when its first
  /// existing parent is not.
  package static func check(future path: String) throws(Problem) {
    var folder = path
    while folder != "/", !File.isDirectory(folder) { folder = File.parent(of: folder) }
    _ = try descend(folder, .directory, nil, isAbove: folder != path)
  }

  /// Throws when the absolute path is not trusted, or of another kind.
  package static func check(
    _ path: String, as kind: FileStatus.Kind, trusting owner: UInt32? = nil
  ) throws(Problem) {
    _ = try descend(path, kind, owner)
  }

  private static func descend(
    _ path: String, _ kind: FileStatus.Kind, _ owner: UInt32?, isAbove: Bool = false
  ) throws(Problem) -> FileDescriptor {
    var walk = Walk(from: try Walk.root(), Trust(besides: owner))
    try walk.judge()
    var rest = path.split(separator: "/").map(String.init)
    rest.reverse()
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      guard let target = try walk.enter(name) else { continue }
      links += 1
      guard links <= maximumLinks else { throw Problem(path: path, reason: "has too many links") }
      rest += target.split(separator: "/").map(String.init).reversed()
      if target.hasPrefix("/") { try walk.restart() }
    }
    return try walk.finish(as: kind, isAbove: isAbove)
  }

  /// Throws when the folder of a file is not trusted: a user who can write there could put the file there.
  package static func check(
    folderOf file: String, trusting owner: UInt32? = nil
  ) throws(Problem) {
    try check(File.parent(of: file), as: .directory, trusting: owner)
  }

  /// Throws when the folder belongs to another user or other users may make files in it, sticky or not.
  package static func check(folder: String) throws(Problem) {
    guard let opened = try? File.open(folder, [.path, .directory]),
      let status = try? opened.status()
    else { throw Problem(path: folder, reason: "cannot be examined") }
    let reason = Trust().reason(against: opened, status, mayBeSticky: false, isAbove: true)
    if let reason { throw Problem(path: folder, reason: reason) }
  }
}

/// A walk from the root folder down, with its current location.
private struct Walk: ~Copyable {
  private let trust: Trust
  private var current: FileDescriptor
  private var names: [String] = []

  init(from root: consuming FileDescriptor, _ trust: Trust) {
    current = root
    self.trust = trust
  }

  /// Starts again at the root folder.
  mutating func restart() throws(TrustedPath.Problem) {
    let root = try Self.root()
    current = root
    names = []
  }

  /// Enters one component; for a symbolic link, returns its target without entering.
  mutating func enter(_ name: String) throws(TrustedPath.Problem) -> String? {
    let next = try open(name)
    guard let found = try? next.status() else {
      throw TrustedPath.Problem(path: path(name), reason: "cannot be examined")
    }
    if found.kind == .symbolicLink {
      guard trust.owns(found.owner) else {
        throw TrustedPath.Problem(path: path(name), reason: Trust.reason(owner: found.owner))
      }
      return try target(of: next, name)
    }
    current = next
    if name == ".." { _ = names.popLast() } else { names.append(name) }
    try judge()
    return nil
  }

  private borrowing func open(_ name: String) throws(TrustedPath.Problem) -> FileDescriptor {
    do throws(SystemError) {
      return try current.openPlace(name)
    } catch {
      throw TrustedPath.Problem(path: path(name), reason: "cannot be opened: \(error.reason)")
    }
  }

  consuming func finish(
    as kind: FileStatus.Kind, isAbove: Bool
  ) throws(TrustedPath.Problem) -> FileDescriptor {
    guard try judge(isLast: !isAbove) == kind else {
      let wanted = kind == .directory ? "folder" : "file"
      throw TrustedPath.Problem(path: path(), reason: "is not a \(wanted)")
    }
    return current
  }

  /// Throws when the current location is not trusted; returns its status.
  @discardableResult
  borrowing func judge(
    isLast: Bool = false
  ) throws(TrustedPath.Problem) -> FileStatus.Kind {
    guard let status = try? current.status() else {
      throw TrustedPath.Problem(path: path(), reason: "cannot be examined")
    }
    let reason = trust.reason(against: current, status, mayBeSticky: !isLast, isAbove: !isLast)
    if let reason { throw TrustedPath.Problem(path: path(), reason: reason) }
    return status.kind
  }

  private func target(
    of link: borrowing FileDescriptor, _ name: String
  ) throws(TrustedPath.Problem) -> String {
    do throws(SystemError) {
      return try link.linkTarget()
    } catch {
      throw TrustedPath.Problem(path: path(name), reason: "cannot be followed")
    }
  }

  private func path(_ name: String? = nil) -> String {
    "/" + (names + [name].compactMap { $0 }).joined(separator: "/")
  }

  static func root() throws(TrustedPath.Problem) -> FileDescriptor {
    do throws(SystemError) {
      return try File.open("/", [.path, .directory])
    } catch {
      throw TrustedPath.Problem(path: "/", reason: "cannot be opened: \(error.reason)")
    }
  }
}

/// The trusted users.
private struct Trust {
  private let user = CurrentProcess.userIdentifier
  /// In a user namespace root may have no number; then the owner of the root folder counts as root.
  private let rootOwner: UInt32
  /// An additional trusted user.
  private let other: UInt32?

  init(besides other: UInt32? = nil) {
    self.other = other
    rootOwner = ((try? File.status("/")) ?? nil)?.owner ?? 0
  }

  func owns(_ owner: UInt32, isAbove: Bool = true) -> Bool {
    owner == user || owner == 0 || owner == other || (isAbove && owner == rootOwner)
  }

  static func reason(owner: UInt32) -> String { "belongs to user \(owner)" }

  /// Why the open file is not trusted; nil when it is.
  func reason(
    against file: borrowing FileDescriptor, _ status: FileStatus, mayBeSticky: Bool, isAbove: Bool
  ) -> String? {
    guard owns(status.owner, isAbove: isAbove) else { return Self.reason(owner: status.owner) }
    if mayBeSticky, status.kind == .directory, status.mode & 0o1000 != 0 { return nil }
    if status.mode & 0o002 != 0 { return "is writable by everyone" }
    guard status.mode & 0o020 != 0 else { return nil }
    guard PrivateGroup.isOwn(status.group), !file.hasAccessList() else {
      return "is writable by group \(status.group)"
    }
    return nil
  }
}
