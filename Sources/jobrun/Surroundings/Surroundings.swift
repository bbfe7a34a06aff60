import JobCore
import JobWire
import LinuxSystem

/// What this process was given: environment, folder, user, and where its own program lies.
struct Surroundings {
  let environment: [String: String]

  init(environment: [String: String] = CurrentProcess.environmentValues()) {
    self.environment = environment
  }

  /// Where everything of this user lies, after `config.json` has had its say.
  func places() throws(WireError) -> Places {
    var places = try Places(environment: environment, user: CurrentProcess.userIdentifier)
    if let directory = try configuration(places).stateDirectory {
      places.stateDirectory = directory
    }
    return places
  }

  /// `config.json`; the usual settings when there is none.
  func configuration(_ places: Places) throws(WireError) -> RunnerConfiguration {
    guard File.exists(places.configurationFile) else { return RunnerConfiguration() }
    let bytes = try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.readAll(places.configurationFile, limit: Limits.manifestBytes)
    }
    do throws(ManifestError) {
      return try RunnerConfiguration.parse(bytes, file: places.configurationFile)
    } catch {
      throw WireError(.usage, error.message)
    }
  }

  /// Where the program itself was installed.
  func installation() throws(WireError) -> Installation {
    Installation(
      program: try WireError.from(.internal) { () throws(SystemError) in
        try CurrentProcess.executablePath()
      })
  }

  /// The current folder, as bytes.
  func directory() throws(WireError) -> [UInt8] {
    do throws(SystemError) {
      return try CurrentProcess.directory()
    } catch {
      throw WireError(
        .usage, "the current folder cannot be found (\(error.reason)); change to one that exists")
    }
  }

  /// Whether colour is wanted on a terminal: the convention of no-color.org, and dumb terminals.
  var wantsColour: Bool {
    (environment["NO_COLOR"] ?? "").isEmpty && !isDumb
  }

  /// The terminal knows no escape sequences.
  var isDumb: Bool {
    environment["TERM"].map { $0.isEmpty || $0 == "dumb" } ?? true
  }
}

extension WireError {
  /// Gives a failed call to the kernel a code that a shell can test.
  static func from<Value>(
    _ code: ErrorCode, _ body: () throws(SystemError) -> Value
  ) throws(WireError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw WireError(code, error.description)
    }
  }
}
