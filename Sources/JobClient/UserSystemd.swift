package import JobWire
import LinuxSystem

/// The systemd of this user that goes on after a log-out (user@.service(5)).
///
/// A runner that it has started belongs to no login session and is started again when it is killed.
/// Only with lingering (loginctl(1)): without it the manager leaves with the last session and takes
/// along all that it has started, which a process of the session itself outlives on most systems.
package struct UserSystemd: Hashable, Sendable {
  private let environment: Environment

  /// Nil when there is none, or none that stays.
  package init?(_ environment: Environment) {
    guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"),
      let user = environment["USER"] ?? environment["LOGNAME"], !user.isEmpty,
      !user.utf8.contains(UInt8(ascii: "/")),
      // Root may speak to anybody's, whose environment it may have kept (sudo(8)).
      (try? File.status(runtime + "/systemd/private"))?.owner == CurrentProcess.userIdentifier,
      File.exists(Self.lingering + user)
    else { return nil }
    self.environment = environment
  }

  private static let lingering = "/var/lib/systemd/linger/"

  /// What of a submitter's environment the runner needs to find the same store; the rest is that of
  /// the manager, whoever submits first.
  package static let kept = ["HOME", "JOBRUN_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]

  /// How it is to treat a runner (systemd.service(5), systemd.resource-control(5)).
  ///
  /// `notify`: it has started once it serves. `KillMode`: stopping or upgrading the runner leaves the
  /// jobs alone. `Delegate`: it may give jobs control groups of their own. `OOMPolicy`: a job that was
  /// killed for its memory is no reason to end the others, and their number is the user's business.
  package static let properties = [
    "Type=notify", "KillMode=process", "Delegate=yes", "Restart=on-failure",
    "RestartPreventExitStatus=70 73", "OOMPolicy=continue", "TasksMax=infinity",
  ]

  /// The command that starts a runner in a unit of its own and returns once it serves, or cannot
  /// (systemd-run(1)); the unit vanishes with it.
  package func command(starting program: String, _ paths: Paths) -> [String] {
    let log = ["StandardOutput", "StandardError"].map { "\($0)=append:\(paths.runnerLog)" }
    return [
      "systemd-run", "--user", "--quiet", "--collect", "--description=The runner of jobrun",
      "--unit=jobrun-\(Paths.storeName(paths.stateDirectory))",
    ]
      + (Self.properties + log).map { "--property=\($0)" }
      + Self.kept.compactMap { name in environment[name].map { "--setenv=\(name)=\($0)" } }
      + ["--", program]
  }
}
