/// Why a folder cannot be used for what only its owner may see.
package enum DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
  case symbolicLink(path: String)
  case notDirectory(path: String)
  case foreign(path: String, owner: UInt32)
  /// Somebody else may replace it, or write there.
  case untrusted(TrustedPath.Problem)
  case system(SystemError)

  /// One sentence: which folder, and why not.
  package var description: String {
    switch self {
    case .symbolicLink(let path):
      "\(path) is a symbolic link, and whoever made it could point it elsewhere; remove it"
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
  /// Whether somebody has put something there, and it is not just want of room or of permission.
  package var isOccupied: Bool {
    if case .system = self { false } else { true }
  }

  /// Whether another user could do there what only this one may.
  package var isOfOthers: Bool {
    switch self {
    case .foreign, .untrusted: true
    case .symbolicLink, .notDirectory, .system: false
    }
  }

  /// What is wrong with it, without what would be right.
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

/// A folder that nobody else can look or reach into.
package enum PrivateDirectory {
  /// Makes the folder (0700) with the missing ones above it, or checks the one that is there.
  ///
  /// It must be ours, a folder, no symbolic link. A mode that lets others in is tightened.
  package static func prepare(_ path: String) throws(DirectoryError) {
    let status = try made(path)
    guard status.kind != .symbolicLink else { throw .symbolicLink(path: path) }
    guard status.kind == .directory else { throw .notDirectory(path: path) }
    guard status.owner == CurrentProcess.userIdentifier else {
      throw .foreign(path: path, owner: status.owner)
    }
    // Ours and no link: nobody but us (and the superuser) can swap it before the next line.
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
