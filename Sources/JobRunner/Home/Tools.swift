package import LinuxSystem

/// The other executables, found beside the runner's own: in one folder after a build, under
/// `libexec/jobrun` with the command in `bin` after an installation.
package struct Tools: Hashable, Sendable {
  /// The supervisor, `jobrun-shim`.
  let shim: String
  /// The program that may load drivers, `jobrun-helper`.
  let helper: String
  /// The engines' program, `jobrun-engine`.
  let engine: String
  /// The command, `jobrun`, for jobs that report through it.
  let command: String

  /// - Throws: `SystemError` when the runner cannot tell where it is.
  package init() throws(SystemError) {
    let folder = File.parent(of: try CurrentProcess.executablePath())
    shim = folder + "/jobrun-shim"
    helper = folder + "/jobrun-helper"
    engine = folder + "/jobrun-engine"
    let beside = folder + "/jobrun"
    command =
      File.isExecutable(beside)
      ? beside : File.parent(of: File.parent(of: folder)) + "/bin/jobrun"
  }
}
