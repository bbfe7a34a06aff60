package import JobWire
import LinuxSystem

/// The systemd of this user (user@.service(5)).
///
/// A runner that it starts belongs to no login session and is restarted when it is killed.
package struct UserSystemd: Hashable, Sendable {
  /// A way to start a runner.
  enum Start: Hashable, Sendable {
    /// As the unit that `jobrun runner enable` has written.
    case enabled
    /// As a transient unit.
    case transient
  }

  /// Whether it goes on after logout (lingering, loginctl(1)).
  ///
  /// If not, it exits with the last session and ends all that it has started, while a process of the
  /// session itself survives on most systems.
  package let lasts: Bool
  private let environment: Environment

  /// Nil when there is none.
  package init?(_ environment: Environment) {
    guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"),
      // Root may talk to any user's manager, whose environment it may have kept (sudo(8)).
      (try? File.status(runtime + "/systemd/private"))?.owner == CurrentProcess.userIdentifier
    else { return nil }
    self.environment = environment
    lasts = Self.lingers(environment)
  }

  /// Whether the manager of this user stays while the user is logged out.
  package static func lingers(_ environment: Environment) -> Bool {
    guard let user = environment["USER"] ?? environment["LOGNAME"], !user.isEmpty,
      !user.utf8.contains(UInt8(ascii: "/"))
    else { return false }
    return File.exists("/var/lib/systemd/linger/" + user)
  }

  /// The variables of a submitter's environment that the runner needs to find the same store.
  ///
  /// All others come from the systemd user manager, so that the first submitter does not set them for everyone.
  package static let kept = ["HOME", "JOBRUN_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]

  /// The unit's properties for a runner (systemd.service(5), systemd.resource-control(5)).
  ///
  /// `notify`: it has started once it serves. `KillMode`: stopping or upgrading the runner leaves the jobs
  /// alone. `Delegate`: it may give jobs control groups of their own; its changes to the unit's group are
  /// undone when it ends, as it could not be started there again. `OOMPolicy`: a job that was killed for
  /// its memory is no reason to end the others, and their number is the user's business.
  ///
  /// `program`: the runner's, as a word of a systemd command line.
  package static func properties(of program: String) -> [String] {
    [
      "Type=notify", "KillMode=process", "Delegate=yes", "ExecStopPost=-\(program) release",
      "Restart=on-failure", "RestartPreventExitStatus=70 73 77", "OOMPolicy=continue",
      "TasksMax=infinity",
    ]
  }

  /// The ways to start a runner, the best first.
  ///
  /// A manager that ends at logout is only used when that was asked for.
  var starts: [Start] {
    (RunnerUnit(environment).isEnabled ? [.enabled] : []) + (lasts ? [.transient] : [])
  }

  /// The command that starts a runner and returns once it serves, or cannot (systemctl(1),
  /// systemd-run(1)).
  func command(_ start: Start, _ program: String, _ paths: Paths) -> [String] {
    switch start {
    case .enabled: ["systemctl", "--user", "--quiet", "start", RunnerUnit.name]
    case .transient: transient(program, paths)
    }
  }

  private func transient(_ program: String, _ paths: Paths) -> [String] {
    let log = ["StandardOutput", "StandardError"].map { "\($0)=append:\(paths.runnerLog)" }
    return [
      "systemd-run", "--user", "--quiet", "--collect", "--description=The runner of jobrun",
      "--unit=\(Self.unit(paths))",
    ]
      + (Self.properties(of: "\"\(program)\"") + log).map { "--property=\($0)" }
      + Self.kept.compactMap { name in environment[name].map { "--setenv=\(name)=\($0)" } }
      + ["--", program]
  }

  /// A unit stays for as long as jobs that started in it, and nothing else can be started in it meanwhile:
  /// each unit's name has the number of the runner before, so that of many concurrent commands one starts
  /// it.
  private static func unit(_ paths: Paths) -> String {
    let store = "jobrun-\(Paths.storeName(paths.stateDirectory))"
    return RunnerStart.lastRunner(paths).map { "\(store)-\($0)" } ?? store
  }
}
