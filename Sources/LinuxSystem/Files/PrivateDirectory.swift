/// Why a folder cannot be used for private files.
package enum DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
  case symbolicLink(path: String)
  case notDirectory(path: String)
  case foreign(path: String, owner: UInt32)
  /// Another user may replace the folder or write to it.
  case untrusted(TrustedPath.Problem)
  case system(SystemError)

  /// One sentence: the folder and the reason.
  package var description: String {
    switch self {
    case .symbolicLink(let path):
      "\(path) is a symbolic link, and its owner could redirect it; remove it"
    case .notDirectory(let path):
      "\(path) is not a folder; move it away"
    case .foreign(let path, let owner):
      "\(path) belongs to user \(owner), not to user \(CurrentProcess.userIdentifier); "
        + "have its owner remove it"
    case .untrusted(let problem):
      problem.sentence
    case .system(let error):
      error.description
    }
  }
}

extension DirectoryError {
  /// Whether the path is taken by something else, as opposed to a lack of space or permission.
  package var isOccupied: Bool {
    if case .system = self { false } else { true }
  }

  /// Whether another user could read, write or replace what should be private.
  package var isOfOthers: Bool {
    switch self {
    case .foreign, .untrusted: true
    case .symbolicLink, .notDirectory, .system: false
    }
  }

  /// The reason alone, without the remedy.
  package var reason: String {
    switch self {
    case .symbolicLink(let path): "\(path) is a symbolic link"
    case .notDirectory(let path): "\(path) is not a folder"
    case .foreign(let path, let owner): "\(path) belongs to user \(owner)"
    case .untrusted(let problem): problem.description
    case .system(let error): error.description
    }
  }
}

/// A folder that only its owner can read and enter.
package enum PrivateDirectory {
  /// Makes the folder (0700) and its missing parents, or checks the existing one.
  ///
  /// The folder must belong to this user and not be a symbolic link. A mode that gives access to others is
  /// tightened.
  package static func prepare(_ path: String) throws(DirectoryError) {
    let status = try made(path)
    guard status.kind != .symbolicLink else { throw .symbolicLink(path: path) }
    guard status.kind == .directory else { throw .notDirectory(path: path) }
    guard status.owner == CurrentProcess.userIdentifier else {
      throw .foreign(path: path, owner: status.owner)
    }
    // The folder is ours and no link: only this user and root can replace it before the next line.
    guard status.mode & 0o077 != 0 || status.mode & 0o700 != 0o700 else { return }
    do throws(SystemError) { try File.setPermissions(0o700, path) } catch { throw .system(error) }
  }

  private static func made(_ path: String) throws(DirectoryError) -> FileStatus {
    do throws(SystemError) {
      let above = File.parent(of: path)
      if !File.isDirectory(above) { try File.makeDirectories(above) }
      try File.makeDirectory(path)
      if let status = try File.status(path, followingLinks: false) { return status }
      throw SystemError("make the folder", SystemError.notFound, path: path)
    } catch {
      throw .system(error)
    }
  }
}
