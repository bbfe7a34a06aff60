import JobCore
import JobStore
import JobWire
import LinuxSystem

/// The whole of `jobrund`: find the folders, open the store, serve, and leave with a code.
package enum RunnerProgram {
  /// Runs to the end; the exit code: 0 also when another runner serves already, 73 when a folder or
  /// file cannot be made, 70 for a fault of ours.
  package static func run() -> Int32 {
    Signal.ignore(Signal.pipe)
    let mask = CurrentProcess.setCreationMask(0o077)
    // A refusal leaves room for fewer clients, no more.
    try? CurrentProcess.raiseDescriptorLimit()
    do {
      let (places, configuration) = try Self.configured()
      let home = try RunnerHome(places)
      let (store, notes) = try StoreOpening.open(places.database)
      let runner = try Runner(
        home: home, tools: try Tools(), configuration: configuration, store: store,
        creationMask: mask, notes: notes)
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
        environment: CurrentProcess.environmentValues(), user: CurrentProcess.userIdentifier)
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

/// Opens the store, moving aside a file that is none of ours or is damaged.
enum StoreOpening {
  static func open(_ path: String) throws(RunnerProblem) -> (Store, [String]) {
    do throws(StoreError) {
      return (try Store(path: path), [])
    } catch {
      guard error.needsFileMovedAside else { throw problem(path, error) }
      let note = try moveAside(path, because: error)
      do throws(StoreError) {
        return (try Store(path: path), [note])
      } catch {
        throw problem(path, error)
      }
    }
  }

  private static func moveAside(
    _ path: String, because error: StoreError
  ) throws(RunnerProblem) -> String {
    let timestamp = WallTime(milliseconds: WallClock.now()).text.filter { $0 != ":" }
    do throws(SystemError) {
      for file in Store.files(of: path) where File.exists(file) {
        try File.rename(file, to: Store.brokenName(of: file, timestamp: timestamp))
      }
    } catch {
      throw RunnerProblem(.cannotCreate, error.description)
    }
    let aside = Store.brokenName(of: path, timestamp: timestamp)
    let note = "\(path) could not be used: \(error.message); it was moved aside to \(aside)"
    RunnerLog.write(note)
    return note
  }

  private static func problem(_ path: String, _ error: StoreError) -> RunnerProblem {
    RunnerProblem(.cannotCreate, "the store \(path) cannot be opened: \(error.message)")
  }
}
