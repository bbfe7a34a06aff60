import JobCore
import JobWire
import LinuxSystem

/// The whole of `jobrund`: find the folders, open the store, serve, and leave with a code.
package enum RunnerProgram {
  /// Runs to the end; the exit code: 0 also when another runner serves already, 73 when a folder or
  /// file cannot be made, 70 for a fault of ours.
  package static func run() -> Int32 {
    Signal.ignore(Signal.pipe)
    // A limit on the size of files (ulimit -f) is answered like a full disk.
    Signal.ignore(Signal.fileTooLarge)
    let mask = CurrentProcess.setCreationMask(0o077)
    // A refusal leaves room for fewer clients, no more.
    try? CurrentProcess.raiseDescriptorLimit()
    do {
      let (places, configuration) = try Self.configured()
      let home = try RunnerHome(places)
      let opened = try OpenedStore(path: places.database)
      let runner = try Runner(
        home: home, tools: try Tools(), configuration: configuration,
        opened: opened, creationMask: mask)
      let departure = try runner.run()
      RunnerLog.write("left: \(departure)")
      return 0
    } catch let problem as RunnerProblem {
      if problem.kind == .alreadyRunning { return 0 }
      RunnerLog.write(problem.message)
      return ExitCode.cannotCreate
    } catch {
      RunnerLog.write("\(error)")
      return ExitCode.internalFault
    }
  }

  /// Ends the process.
  package static func leave(with code: Int32) -> Never { CurrentProcess.exit(code) }

  /// The places of this user, after the configuration has had its say.
  private static func configured() throws(RunnerProblem) -> (Places, RunnerConfiguration) {
    do {
      var places = try Places(
        environment: Environment(entries: CurrentProcess.environment()),
        user: CurrentProcess.userIdentifier)
      let configuration = try configuration(places.configurationFile)
      if let directory = configuration.stateDirectory { places.stateDirectory = directory }
      return (places, configuration)
    } catch let error as WireError {
      throw RunnerProblem(.cannotCreate, error.message)
    } catch let error as ManifestError {
      throw RunnerProblem(.cannotCreate, "\(error)")
    } catch {
      throw RunnerProblem(.cannotCreate, "\(error)")
    }
  }

  private static func configuration(_ path: String) throws -> RunnerConfiguration {
    guard File.exists(path) else { return RunnerConfiguration() }
    let bytes = try File.readAll(path, limit: Limits.manifestBytes)
    return try RunnerConfiguration.parse(bytes, file: path)
  }
}
