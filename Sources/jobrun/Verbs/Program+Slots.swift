import JobClient
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun slots [N]`.
  ///
  /// The file is what counts: a runner reads it at once, and one that is started later, too.
  func slots(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    guard let word = invocation.operands.first?.text else {
      return try tellSlots(on: link, invocation)
    }
    guard let count = Int(word), (1...Limits.slots).contains(count), "\(count)" == word else {
      throw WireError(
        .usage,
        "slots is \(word.quoted); it must be a whole number from 1 to"
          + " \(Limits.slots)")
    }
    try Self.write(slots: count, to: link.paths.configurationFile)
    return try tellSlots(on: link, invocation, reloading: true)
  }

  private func tellSlots(
    on link: RunnerLink, _ invocation: Invocation, reloading: Bool = false
  ) throws(WireError) -> Int32 {
    var known: RunnerStatus?
    if link.connectIfRunning() {
      guard case .status(let status) = try link.ask(reloading ? .reload : .status) else {
        throw WireError(.internal, "the runner did not answer with its status")
      }
      known = status
    }
    let configured = try surroundings.configuration(link.paths).slots
    let count = known?.slots ?? configured ?? max(2, CurrentProcess.processorCount())
    if invocation.isSet(.json) {
      writeJSON {
        $0.field("slots", count)
        $0.field("running", known?.running)
        $0.field("queued", known?.queued)
      }
    } else {
      let use = known.map { ": \($0.running) running, \($0.queued) waiting" } ?? ""
      data.buffer(line: "\(count) \(count == 1 ? "slot" : "slots")\(use)")
    }
    data.flush()
    return ExitCode.success
  }

  /// Changes that one number in the settings, wherever a link leads to them.
  private static func write(slots: Int, to path: String) throws(WireError) {
    let target = (try? File.resolved(path)) ?? path
    let permissions = ((try? File.status(target)) ?? nil).map { $0.mode & 0o777 } ?? 0o600
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.makeDirectories(File.parent(of: target))
    }
    let before = File.exists(target) ? (try? File.readAll(target, limit: Limits.manifestBytes)) : []
    guard let before, let after = SettingsText(before).setting("slots", to: "\(slots)"),
      (try? RunnerConfiguration.parse(after, file: path))?.slots == slots
    else {
      throw WireError(
        .cannotCreate, "\(path) cannot be changed; write \"slots\": \(slots) into it by hand")
    }
    try WireError.from(.cannotCreate) { () throws(SystemError) in
      try File.writeAtomically(after, to: target, permissions: permissions, durable: true)
    }
  }
}
