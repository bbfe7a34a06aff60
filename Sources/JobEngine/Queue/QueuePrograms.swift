internal import JobWire
internal import LinuxSystem

/// The programs for the nodes, on the shared file system below the engine's folder.
enum QueuePrograms {
  /// Copies the supervisor there and returns its path; returns the original path when that fails.
  static func install(
    from program: String, below folder: String, _ report: (EngineReport) -> Void
  ) -> String {
    let home = File.parent(of: program)
    let beside = "\(home)/jobrun"
    let command =
      File.isExecutable(beside)
      ? beside : "\(File.parent(of: File.parent(of: home)))/bin/jobrun"
    let target = "\(folder)/bin/\(File.mark(of: [program, command]))"
    do throws(SystemError) {
      try File.makeDirectories(target)
      let supervisor = "\(target)/jobrun-shim"
      try copy(program, to: supervisor)
      try copy(command, to: "\(target)/jobrun")
      return supervisor
    } catch {
      report(.note("the nodes are given \(program), as it cannot be copied: \(error)"))
      return program
    }
  }

  private static func copy(_ source: String, to path: String) throws(SystemError) {
    if File.isExecutable(path) { return }
    let own = "\(path).\(RandomBytes.hexadecimal(count: 8))"
    if (try? File.addName(own, to: source)) == nil {
      try File.writeAtomically(try File.readAll(source, limit: 1 << 30), to: own)
      try File.setPermissions(0o700, own)
    }
    try File.rename(own, to: path)
  }
}
