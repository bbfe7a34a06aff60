import JobCore
package import JobWire
import LinuxSystem

/// The inputs of this process: environment, folder, user, and the location of its own program.
package struct Surroundings: Hashable, Sendable {
  package let environment: Environment

  package init(
    environment: Environment = Environment(entries: CurrentProcess.environment())
  ) {
    self.environment = environment
  }

  /// The folders of this user, after `config.json` was applied.
  ///
  /// - Throws: `notPermitted` when another user may write there.
  package func paths() throws(WireError) -> Paths {
    var paths = try Paths(environment: environment, user: CurrentProcess.userIdentifier)
    if let directory = try configuration(paths).stateDirectory {
      paths.stateDirectory = directory
    }
    return try Self.trusted(paths)
  }

  /// The folders of this user without `config.json`, if a runner serves there, which keeps its previous settings;
  /// else nil.
  ///
  /// - Throws: `notPermitted` when another user may write there.
  package func runnerPaths() throws(WireError) -> Paths? {
    let paths = try Self.trusted(
      try Paths(environment: environment, user: CurrentProcess.userIdentifier))
    return RunnerStart.connect(paths) == nil ? nil : paths
  }

  private static func trusted(_ paths: Paths) throws(WireError) -> Paths {
    try WireError.trusting("the state folder is") { () throws(TrustedPath.Problem) in
      try TrustedPath.check(future: paths.stateDirectory)
    }
    return paths
  }

  /// `config.json`; the defaults when there is none.
  package func configuration(_ paths: Paths) throws(WireError) -> RunnerConfiguration {
    let bytes = try WireError.trusting("the settings are") { () throws(TrustedPath.Problem) in
      try TrustedPath.read(paths.configurationFile, limit: Limits.manifestBytes)
    }
    guard let bytes else { return RunnerConfiguration() }
    do throws(ManifestError) {
      return try RunnerConfiguration.parse(bytes, file: paths.configurationFile)
    } catch {
      throw WireError(.badConfiguration, error.message)
    }
  }

  /// A connection to the runner for a program other than jobrun; not opened yet.
  ///
  /// An existing runner is reached wherever jobrun is installed; only to start one, jobrun must be found.
  package func hostLink() throws(WireError) -> RunnerLink {
    let executable = try Self.executable()
    let runner = Result { () throws(WireError) in
      try Installation.near(executable, environment: environment).runner
    }
    return RunnerLink(paths: try paths(), program: runner)
  }

  /// The path of this process's program.
  package static func executable() throws(WireError) -> String {
    try WireError.from(.unavailable) { () throws(SystemError) in
      try CurrentProcess.executablePath()
    }
  }

  /// The installation of this program.
  package func installation() throws(WireError) -> Installation {
    Installation(program: try Self.executable())
  }

  /// The search for definitions; `flag` is the value of `--jobs`.
  package func search(
    flag: String?, directory: [UInt8], paths: Paths
  ) throws(WireError) -> BundleSearch {
    BundleSearch(
      flag: flag, environment: environment,
      directory: String(decoding: directory, as: UTF8.self),
      registered: Registry(paths: paths).content(),
      configured: try configuration(paths).bundles, installation: try installation())
  }

  /// The current folder, as bytes.
  package func directory() throws(WireError) -> [UInt8] {
    do throws(SystemError) {
      return try CurrentProcess.directory()
    } catch {
      throw WireError(
        .usage, "the current folder cannot be found (\(error.reason)); change to one that exists")
    }
  }
}
