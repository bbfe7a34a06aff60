import JobCore
import JobWire
import LinuxSystem

/// The whole of `jobrund`: find the folders, open the store, serve, and leave with a code.
package enum RunnerProgram {
  /// Runs to the end; the exit code: 0 also when another runner serves already, 73 when a folder or
  /// file cannot be made or something has run out, 70 for a fault of ours, 64 for an unexpected argument.
  ///
  /// `jobrund release` is for the systemd that restarts a runner: see `GroupDelegation.release`.
  package static func run() -> Int32 {
    let arguments = CurrentProcess.arguments().dropFirst()
    if arguments.first == Array("release".utf8) {
      GroupDelegation.release()
      return 0
    }
    if let argument = arguments.first {
      let text = String(decoding: argument, as: UTF8.self).quoted
      RunnerLog.write("unexpected argument \(text); jobrund takes none, and jobrun starts it")
      return ExitCode.usage
    }
    Signal.ignore(Signal.pipe)
    // A limit on the size of files (ulimit -f) is answered like a full disk.
    Signal.ignore(Signal.fileTooLarge)
    let mask = CurrentProcess.setCreationMask(0o077)
    let terms = RunnerTerms()
    // A refusal leaves room for fewer clients, no more.
    try? CurrentProcess.raiseDescriptorLimit()
    CurrentProcess.hideMemory()
    do {
      try checkDescriptors()
      let (paths, configuration) = try Self.configured()
      let home = try RunnerHome(paths)
      let mark = NumberMark(paths.numberMark)
      let opened = try OpenedStore(path: paths.database, mark)
      if let note = home.runtimeNote { RunnerLog.write(note) }
      let runner = try Runner(
        home: home, tools: try Tools(), configuration: configuration,
        opened: opened, mark: mark, creationMask: mask, terms: terms,
        groups: GroupDelegation.claim(for: Paths.storeName(paths.stateDirectory)))
      let departure = try runner.run()
      runner.closeStore(mark)
      RunnerLog.write("left: \(departure)")
      return 0
    } catch let problem as RunnerError {
      if problem.kind == .alreadyRunning {
        // Another runner serves already, which is all that was needed.
        CurrentProcess.notifyReady()
        return 0
      }
      RunnerLog.write(problem.message)
      return problem.kind == .notPermitted ? ExitCode.notPermitted : ExitCode.cannotCreate
    } catch let problem as SystemError where problem.isShortage {
      RunnerLog.write("\(problem)")
      return ExitCode.cannotCreate
    } catch {
      RunnerLog.write("\(error)")
      return ExitCode.internalFault
    }
  }

  /// With too few descriptors no client would ever be served, and all would wait.
  private static func checkDescriptors() throws(RunnerError) {
    let limit = CurrentProcess.descriptorLimit()
    guard limit < Limits.ownDescriptors else { return }
    throw RunnerError(
      .cannotCreate,
      "only \(limit) files may be open here, and the runner needs \(Limits.ownDescriptors);"
        + " raise the limit (ulimit -n)")
  }

  /// Ends the process.
  package static func leave(with code: Int32) -> Never { CurrentProcess.exit(code) }

  /// The places of this user, after the configuration has had its say.
  private static func configured() throws(RunnerError) -> (Paths, RunnerConfiguration) {
    var paths: Paths
    do throws(WireError) {
      paths = try Paths(
        environment: Environment(entries: CurrentProcess.environment()),
        user: CurrentProcess.userIdentifier)
    } catch {
      throw RunnerError(.cannotCreate, error.message)
    }
    let configuration = try Settings.parse(paths.configurationFile)
    if let directory = configuration.stateDirectory { paths.stateDirectory = directory }
    return (paths, configuration)
  }
}
