package import JobClient
package import JobWire
internal import LinuxSystem

// The interface for the library of background sessions.
extension BGTaskScheduler {
  /// The bundle of this program; logs a line for each broken definition in it.
  package func hostBundle() throws(WireError) -> HostBundle {
    let bundle = try HostBundle(
      environment: JobWire.Environment(environment), executable: try Surroundings.executable())
    for problem in bundle.problems { StandardError.say(problem) }
    return bundle
  }

  /// A connection of the caller's own to the runner; not opened yet.
  package func runnerLink() throws(WireError) -> RunnerLink {
    guard environment["JOBRUN_SCHEDULER"] != "embedded" else {
      throw WireError(.unavailable, "JOBRUN_SCHEDULER is embedded, so there is no runner")
    }
    return try Surroundings(environment: JobWire.Environment(environment)).hostLink()
  }

  /// This process's environment for a later launch, without the variables of its own launch.
  package static func launchEnvironment() -> [[UInt8]] {
    let names = [
      WorkerLaunch.classVariable, SessionEvents.variable, SessionEvents.lockVariable,
    ].map { Array("\($0)=".utf8) }
    return CurrentProcess.environment().filter { entry in
      !names.contains { entry.starts(with: $0) }
    }
  }
}
