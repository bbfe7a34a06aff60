package import JobWire
package import LinuxSystem

/// Whether a definition's executable has to be built, and the note that it was.
///
/// The note is an empty file beside `job.json`, as old as the beginning of the last build that went
/// well: what was changed while that build ran counts as newer.
package struct DefinitionBuild {
  /// What is run in `folder`; never empty.
  package let command: [String]
  package let folder: String
  private let executable: String

  private static let note = ".jobrun-built"

  /// Nil when the definition's executable is there as it is.
  package init?(_ definition: Definition) {
    guard !definition.manifest.build.isEmpty else { return nil }
    let name = definition.manifest.command[0]
    command = definition.manifest.build
    folder = definition.folder
    executable = name.hasPrefix("/") ? name : "\(definition.folder)/\(name)"
  }

  /// Throws when somebody else may have written the program that builds, or anything it builds from.
  ///
  /// What is on PATH is left to whoever set PATH.
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
        // One that leads nowhere is built from by nobody.
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
  /// What begins with a dot is no source, nor is `job.json`.
  package var isNeeded: Bool {
    guard File.isExecutable(executable) else { return true }
    guard let built = (try? File.status(note))??.modifiedNanoseconds else {
      // Where nothing can be written, somebody else has seen to it.
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
        // Its own time tells of files that were removed.
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
  /// `output`: the descriptor that gets what it prints.
  /// - Returns: how it ended; after a success that is noted.
  package func run(output: Int32) throws(SystemError) -> ChildEnd.Status {
    let begun = "\(note).new-\(FreshName.suffix())"
    // Its time is that of the beginning.
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
        try? File.rename(begun, to: note)  // without it the next submission builds again
      } else {
        try? File.remove(begun)  // an empty file with a dot is in nobody's way
      }
      return status
    } catch {
      try? File.remove(begun)  // the first problem is the one to tell
      throw error
    }
  }
}
