package import JobWire
package import LinuxSystem

/// Whether a definition's executable must be built, and the note of the last build.
///
/// The note is an empty file beside `job.json`, dated with the start of the last successful build: files
/// that changed while that build ran count as newer.
package struct DefinitionBuild {
  /// The build command, run in `folder`; never empty.
  package let command: [String]
  package let folder: String
  private let executable: String

  private static let note = ".jobrun-built"

  /// Nil when the definition needs no build.
  package init?(_ definition: Definition) {
    guard !definition.manifest.build.isEmpty else { return nil }
    let name = definition.manifest.command[0]
    command = definition.manifest.build
    folder = definition.folder
    executable = name.hasPrefix("/") ? name : "\(definition.folder)/\(name)"
  }

  /// Throws when another user may have written the build command, or any of its inputs.
  ///
  /// Commands found on PATH are not checked: the user who set PATH is responsible.
  package func checkTrust() throws(TrustedPath.Problem) {
    let program = command[0]
    if program.contains("/") {
      let path = program.hasPrefix("/") ? program : "\(folder)/\(program)"
      try TrustedPath.check(folderOf: path)
      try TrustedPath.check(path, as: .file)
    }
    try Self.checkTrust(below: folder)
  }

  private static func checkTrust(below folder: String) throws(TrustedPath.Problem) {
    try TrustedPath.check(folder, as: .directory)
    for name in (try? File.names(in: folder)) ?? [] where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      let kind = ((try? File.status(path, followingLinks: false)) ?? nil)?.kind
      switch kind {
      case .directory: try checkTrust(below: path)
      case .symbolicLink:
        // A dangling symbolic link cannot be a build input.
        guard let target = (try? File.status(path)) ?? nil else { continue }
        try TrustedPath.check(path, as: target.kind)
      case .file: try TrustedPath.check(path, as: .file)
      default: continue
      }
    }
  }

  private var note: String { "\(folder)/\(Self.note)" }

  /// Whether the executable is missing, or older than a file below the definition's folder.
  ///
  /// Files whose names start with a dot are not sources, nor is `job.json`.
  package var isNeeded: Bool {
    guard File.isExecutable(executable) else { return true }
    guard let built = (try? File.status(note))??.modifiedNanoseconds else {
      // In a folder without write permission, building is up to its owner.
      return (try? File.checkWritable(folder)) != nil
    }
    return hasNewer(than: built, in: folder, isTop: true)
  }

  /// As old or newer: a change within one tick of the file system's clock is not missed.
  private func hasNewer(than built: Int64, in folder: String, isTop: Bool) -> Bool {
    for name in (try? File.names(in: folder)) ?? []
    where !name.hasPrefix(".") && !(isTop && name == "job.json") {
      let path = "\(folder)/\(name)"
      guard let status = (try? File.status(path, followingLinks: false)) ?? nil else { continue }
      if status.kind == .directory {
        // The folder's own time changes when a file is removed.
        let isNewer = status.modifiedNanoseconds >= built
        if isNewer || hasNewer(than: built, in: path, isTop: false) { return true }
      } else if status.modifiedNanoseconds >= built {
        return true
      }
    }
    return false
  }

  /// Runs the build and waits for it, in this process's group, so that Ctrl-C ends both.
  ///
  /// `output`: the descriptor for its output.
  /// - Returns: how it ended; a success is noted.
  package func run(output: Int32) throws(SystemError) -> ChildEnd.Status {
    let begun = "\(note).new-\(FreshName.suffix())"
    // Its time is that of the start.
    _ = try? File.open(begun, [.write, .create, .exclusive], permissions: 0o644)
    do throws(SystemError) {
      let nothing = try File.open("/dev/null")
      var spawn = Spawn(
        command.map { Array($0.utf8) }, environment: CurrentProcess.environment(),
        directory: Array(folder.utf8))
      spawn.descriptors = [
        .init(nothing.number, as: 0), .init(output, as: 1), .init(output, as: 2),
      ]
      let status = try ChildProcess.wait(try spawn.start()).status
      if status == .exited(0) {
        try? File.rename(begun, to: note)  // on failure the next submission builds again
      } else {
        try? File.remove(begun)  // a leftover empty dot file does no harm
      }
      return status
    } catch {
      try? File.remove(begun)  // the first error is the one to report
      throw error
    }
  }
}
