import JobClient
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun runner enable|disable`: the runner starts with the login, or no longer.
  ///
  /// Writes a unit of the user's systemd and the link that `systemctl enable` would make (systemd.unit(5));
  /// works without a running systemd.
  func setUnit(_ isWanted: Bool, _ invocation: Invocation) throws(WireError) -> Int32 {
    let unit = RunnerUnit(surroundings.environment)
    guard let folder = unit.folder else {
      throw WireError(
        .cannotCreate, "neither XDG_CONFIG_HOME nor HOME is an absolute path; set one of them")
    }
    let wants = folder + "/default.target.wants"
    guard isWanted else { return try removeUnit(folder, wants, invocation) }
    let text = unit.text(starting: try surroundings.installation().runner)
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.makeDirectories(wants, permissions: 0o755)
      try File.writeAtomically(Array(text.utf8), to: "\(folder)/\(RunnerUnit.name)")
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
    if !UserSystemd.lingers(surroundings.environment) {
      talk.write(
        line: "to keep jobs running when you log out, and to start with the machine: loginctl"
          + " enable-linger")
    }
    return ExitCode.success
  }

  /// Replaces a running runner by the unit's; its jobs continue.
  private func handOver() throws(WireError) {
    let link = try link()
    guard systemctl("daemon-reload") else {
      talk.write(
        line: "your systemd does not answer here; log in again, or: systemctl --user daemon-reload;"
          + " systemctl --user start jobrun")
      return
    }
    let wasRunning = link.connectIfRunning()
    if systemctl("is-active", RunnerUnit.name) {
      guard wasRunning, livesInUnit(try status(on: link)) else {
        throw WireError(
          .cannotCreate,
          "\(RunnerUnit.name) is active and serves another store; systemctl --user stop jobrun ends"
            + " that, then enable again")
      }
    }
    // A client that watches a job may start another runner meanwhile, which may be about to exit.
    for _ in 1...2 {
      if link.connectIfRunning() { try leave(.stop(restart: true), on: link) }
      _ = systemctl("start", RunnerUnit.name)
      let status = try status(on: link)
      guard livesInUnit(status) else { continue }
      let sentence =
        wasRunning
        ? "the runner was handed over to it; jobs keep running" : "the runner was started by it"
      let lines = try [sentence] + leftBehind(status, on: link)
      return talk.write(line: lines.joined(separator: "; "))
    }
    let place = cgroup(of: try status(on: link).pid)?.name ?? "no unit of your systemd"
    throw WireError(
      .cannotCreate,
      "the runner runs in \(place) and not in \(RunnerUnit.name): systemctl --user status jobrun"
        + " says why")
  }

  private func livesInUnit(_ status: RunnerStatus) -> Bool {
    cgroup(of: status.pid)?.name == RunnerUnit.name
  }

  /// Whether systemctl succeeded; its messages are on standard error.
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
