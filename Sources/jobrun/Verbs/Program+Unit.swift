import JobClient
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun runner enable|disable`: the runner starts with the login, or no longer.
  ///
  /// What is written is a unit of the user's systemd and the link by which `systemctl enable` marks it
  /// (systemd.unit(5)); nothing is asked of a systemd that may not be there.
  func setUnit(_ isWanted: Bool, _ invocation: Invocation) throws(WireError) -> Int32 {
    let unit = RunnerUnit(
      runner: try surroundings.installation().runner, environment: surroundings.environment)
    guard let folder = unit.folder else {
      throw WireError(
        .cannotCreate, "neither XDG_CONFIG_HOME nor HOME is an absolute path; set one of them")
    }
    let wants = folder + "/default.target.wants"
    guard isWanted else { return try removeUnit(folder, wants, invocation) }
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.makeDirectories(wants, permissions: 0o755)
      try File.writeAtomically(Array(unit.text.utf8), to: "\(folder)/\(RunnerUnit.name)")
      try File.link("\(wants)/\(RunnerUnit.name)", to: "../\(RunnerUnit.name)")
    }
    report(
      "enable", done: true,
      "\(folder)/\(RunnerUnit.name) is written: the runner starts when you log in", invocation)
    guard File.isDirectory("/run/systemd/system") else {
      talk.write(line: "systemd does not run here; on a machine where it does, this takes effect")
      return ExitCode.success
    }
    try handOver()
    let user = surroundings.environment["USER"] ?? surroundings.environment["LOGNAME"] ?? ""
    if user.isEmpty || !File.exists("/var/lib/systemd/linger/\(user)") {
      talk.write(
        line: "to keep jobs running when you log out, and to start with the machine: loginctl"
          + " enable-linger")
    }
    return ExitCode.success
  }

  /// Lets the unit's runner take the place of one that serves; its jobs go on where they are.
  private func handOver() throws(WireError) {
    let link = try link()
    guard systemctl("daemon-reload") else {
      talk.write(
        line: "your systemd does not answer here; log in again, or: systemctl --user daemon-reload;"
          + " systemctl --user start jobrun")
      return
    }
    let isRunning = link.connectIfRunning()
    if isRunning { try leave(restart: true, on: link) }
    if systemctl("start", RunnerUnit.name) {
      talk.write(
        line: isRunning
          ? "the runner was handed over to it; jobs go on" : "the runner was started by it")
    } else {
      talk.write(line: "it does not start now: systemctl --user status jobrun says why")
    }
  }

  /// Whether the user's systemd did that; what it has to say is on standard error.
  private func systemctl(_ words: String...) -> Bool {
    guard let pid = try? Spawn(["systemctl", "--user", "--quiet"] + words).start(),
      let end = try? ChildProcess.wait(pid)
    else { return false }
    return end.status == .exited(0)
  }

  private func removeUnit(
    _ folder: String, _ wants: String, _ invocation: Invocation
  ) throws(WireError) -> Int32 {
    let paths = ["\(wants)/\(RunnerUnit.name)", "\(folder)/\(RunnerUnit.name)"]
    let wasThere = File.exists(paths[1])
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      for path in paths where File.exists(path) { try File.remove(path) }
    }
    report(
      "disable", done: wasThere,
      wasThere
        ? "the runner no longer starts when you log in" : "it was not enabled; nothing was changed",
      invocation)
    return ExitCode.success
  }
}

/// The unit of the user's systemd that starts the runner; a value, so that its text can be tested.
struct RunnerUnit {
  static let name = "jobrun.service"

  let runner: String
  let environment: Environment

  /// Where units of one user lie; nil without any home.
  var folder: String? {
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
      return base + "/systemd/user"
    }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.config/systemd/user" : nil }
  }

  /// The content of the unit's file.
  var text: String {
    let kept = ["JOBRUN_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"].compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : "Environment=\(Self.quoted("\(name)=\($0)"))" }
    }
    let lines =
      [
        "# Written by jobrun runner enable; jobrun runner disable removes it.", "[Unit]",
        "Description=The runner of jobrun", "", "[Service]", "ExecStart=\(Self.quoted(runner))",
      ] + UserSystemd.properties + kept + ["", "[Install]", "WantedBy=default.target"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// In quotation marks, with what systemd would replace doubled (systemd.syntax(7)).
  private static func quoted(_ text: String) -> String {
    let escaped = text.escaping(["\\": "\\\\", "\"": "\\\"", "%": "%%", "$": "$$"])
    return "\"\(escaped)\""
  }
}
