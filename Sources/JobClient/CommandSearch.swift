import JobCore
package import JobWire
import LinuxSystem

/// Finds the executable for a name.
package enum CommandSearch {
  /// A definition's `command[0]`: beside its manifest, in the build's or the installation's job
  /// folder, then on PATH.
  package static func executable(
    of definition: Definition, installation: Installation, environment: Environment
  ) throws(WireError) -> String {
    let name = definition.manifest.command[0]
    let isOurs = definition.folder.hasPrefix(installation.jobs + "/")
    let beside = "\(definition.folder)/\(name)"
    if name.contains("/") {
      let path = try usable(name.hasPrefix("/") ? name : beside, for: definition)
      return isOurs ? path : try trusted(path, definition)
    }
    if File.isExecutable(beside) { return isOurs ? beside : try trusted(beside, definition) }
    if isFile(beside) { throw notExecutable(beside) }
    let installed = "\(installation.jobExecutables)/\(name)"
    if File.isExecutable(installed) { return installed }
    if isFile(installed) { throw notExecutable(installed) }
    if let path = onPath(name, environment), path.hasPrefix("/") { return path }
    throw WireError(
      .notFound,
      "the command \(name.quoted) of the job \(definition.name) was not found beside"
        + " \(definition.folder)/job.json, in \(installation.jobExecutables), or on PATH")
  }

  /// A command that a person typed: a path, or a name on PATH.
  package static func executable(
    _ name: String, directory: String, environment: Environment
  ) throws(WireError) -> String {
    if name.contains("/") {
      let path = name.hasPrefix("/") ? name : "\(directory)/\(Self.withoutDot(name))"
      if File.isExecutable(path) { return path }
      if isFile(path) { throw notExecutable(path) }
      let problem =
        isThere(path, as: .directory)
        ? "\(name.quoted) is a folder, not a command" : "there is no command \(name.quoted)"
      throw WireError(.notFound, "\(problem); nothing was started")
    }
    if let path = onPath(name, environment) {
      return path.hasPrefix("/") ? path : "\(directory)/\(path)"
    }
    let hint = isFile("\(directory)/\(name)") ? "; write ./\(name) for the file in this folder" : ""
    throw WireError(
      .notFound, "there is no command \(name.quoted) on PATH\(hint); nothing was started")
  }

  /// `./build` in a folder means `build` there.
  private static func withoutDot(_ name: String) -> Substring {
    name.hasPrefix("./") && name.utf8.count > 2 ? name.dropFirst(2) : name[...]
  }

  /// Throws when another user may have written the command.
  ///
  /// Its folders are checked as well, so that no other user can exchange it before it is executed. Commands
  /// found on PATH are not checked: the user who set PATH is responsible.
  private static func trusted(
    _ path: String, _ definition: Definition
  ) throws(WireError) -> String {
    do throws(TrustedPath.Problem) {
      try TrustedPath.check(folderOf: path)
      try TrustedPath.check(path, as: .file)
      return path
    } catch {
      throw WireError(
        .notPermitted,
        "the command \(path.quoted) of the job \(definition.name) is not run:"
          + " \(BundleError.untrusted(error).message)")
    }
  }

  /// The first executable of that name on PATH (execvp(3)).
  private static func onPath(_ name: String, _ environment: Environment) -> String? {
    guard !name.isEmpty else { return nil }
    let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    // By bytes: splitting a string by Characters costs more than the rest of a submission.
    for folder in path.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      let candidate = folder.isEmpty ? "./\(name)" : "\(Substring(folder))/\(name)"
      if File.isExecutable(candidate) { return candidate }
    }
    return nil
  }

  private static func usable(
    _ path: String, for definition: Definition
  ) throws(WireError) -> String {
    if File.isExecutable(path) { return path }
    if isFile(path) { throw notExecutable(path) }
    throw WireError(
      .notFound, "the command \(path.quoted) of the job \(definition.name) does not exist")
  }

  private static func isFile(_ path: String) -> Bool { isThere(path, as: .file) }

  private static func isThere(_ path: String, as kind: FileStatus.Kind) -> Bool {
    (try? File.status(path))??.kind == kind
  }

  private static func notExecutable(_ path: String) -> WireError {
    WireError(.notFound, "\(path) is not executable; chmod +x makes it so")
  }
}
