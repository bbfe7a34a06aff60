package import JobWire
import LinuxSystem

/// The locations of the parts of `jobrun`, derived from its own executable.
///
/// A build has all executables in one folder, `PACKAGE/.build/TRIPLE/CONFIGURATION`; an installation has
/// `PREFIX/bin`, `PREFIX/libexec/jobrun` and `PREFIX/share/jobrun`.
package struct Installation: Hashable, Sendable {
  /// Path of this executable, without links.
  package let program: String
  /// Whether this is a build's folder.
  package let isBuild: Bool

  package init(program: String) {
    self.program = program
    isBuild = File.isExecutable(File.parent(of: program) + "/jobrund")
  }

  /// The installation for a program other than jobrun: beside itself (in a build), the one whose runner
  /// launched it, the one on PATH, or the default prefix of `make install`.
  ///
  /// - Throws: `unavailable` with the searched places.
  package static func near(
    _ program: String, environment: Environment
  ) throws(WireError) -> Installation {
    let folders =
      (environment["PATH"] ?? "").split(separator: ":").map(String.init)
      + ["/usr/local/bin", "/usr/bin"]
    let commands =
      [program] + [environment["JOBRUN_COMMAND"]].compactMap { $0 }
      + folders.map { $0 + "/jobrun" }
    for command in commands where command.hasPrefix("/") {
      let installation = Installation(program: (try? File.resolved(command)) ?? command)
      if File.isExecutable(installation.runner) { return installation }
    }
    throw WireError(
      .unavailable,
      "no jobrun was found on PATH or in /usr/local/bin; install it, so that it can run tasks")
  }

  private var folder: String { File.parent(of: program) }
  private var prefix: String { File.parent(of: folder) }

  package var runner: String {
    isBuild ? folder + "/jobrund" : prefix + "/libexec/jobrun/jobrund"
  }

  /// The helper, which also shows jobs in pictures.
  package var helper: String {
    isBuild ? folder + "/jobrun-helper" : prefix + "/libexec/jobrun/jobrun-helper"
  }

  /// Folder of the sample jobs' executables.
  package var jobExecutables: String {
    isBuild ? folder : prefix + "/libexec/jobrun/jobs"
  }

  /// The sample jobs' bundle.
  package var jobs: String {
    isBuild ? sources + "/jobs" : prefix + "/share/jobrun/jobs"
  }

  /// The pages of the manual.
  package var manual: String {
    isBuild ? sources + "/Sources/jobrun/Manual" : prefix + "/share/jobrun/manual"
  }

  /// The package folder of a build.
  private var sources: String { File.parent(of: File.parent(of: prefix)) }
}
