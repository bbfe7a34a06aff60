import LinuxSystem

/// Where the pieces of `jobrun` lie, seen from its own executable.
///
/// A build has all executables in one folder, `PACKAGE/.build/TRIPLE/CONFIGURATION`; an installation
/// has `PREFIX/bin`, `PREFIX/libexec/jobrun` and `PREFIX/share/jobrun`.
package struct Installation: Hashable, Sendable {
  /// Path of this executable, without links.
  package let program: String
  /// Whether this is a build's folder.
  package let isBuild: Bool

  package init(program: String) {
    self.program = program
    isBuild = File.isExecutable(File.parent(of: program) + "/jobrund")
  }

  private var folder: String { File.parent(of: program) }
  private var prefix: String { File.parent(of: folder) }

  package var runner: String {
    isBuild ? folder + "/jobrund" : prefix + "/libexec/jobrun/jobrund"
  }

  /// Folder of the sample jobs' executables.
  package var jobExecutables: String {
    isBuild ? folder : prefix + "/libexec/jobrun/jobs"
  }

  /// The sample jobs' bundle.
  package var jobs: String {
    isBuild
      ? File.parent(of: File.parent(of: prefix)) + "/jobs" : prefix + "/share/jobrun/jobs"
  }
}
