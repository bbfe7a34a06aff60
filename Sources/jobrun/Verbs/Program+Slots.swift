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
        "slots is \(word.quoted); it must be a whole number from 1 to \(Limits.slots)")
    }
    try SettingsFile(path: link.paths.configurationFile).write(
      [.init(["slots"], "\(count)")], "\"slots\": \(count)"
    ) { $0.slots = count }
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
    let configured = try surroundings.configuration(link.paths)
    let count = known?.slots ?? configured.slots(processors: CurrentProcess.processorCount())
    if invocation.isSet(.json) {
      writeJSON {
        $0.field("slots", count)
        $0.field("used", known?.slotsUsed)
        $0.field("running", known?.running)
        $0.field("queued", known?.queued)
      }
    } else {
      let use =
        known.map {
          ", \($0.slotsUsed) taken; with all groups, \($0.running) running and \($0.queued) waiting"
        } ?? ""
      data.buffer(line: "\(count) \(count == 1 ? "slot" : "slots")\(use)")
    }
    data.flush()
    return ExitCode.success
  }
}
