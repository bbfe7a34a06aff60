import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Flag {
  static let groupSlots = Flag(
    "slots", .count("N"), "how many jobs of the group may run at the same time")
}

extension Program {
  /// Carries out `jobrun group NAME [--slots N]`.
  func group(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let group = try GroupName(checking: invocation.operands[0].text)
    if let count = invocation.count(.groupSlots) { try set(slots: count, of: group, on: link) }
    let configuration = try surroundings.configuration(link.paths)
    let count =
      configuration.groups[group] ?? configuration.slots ?? max(2, CurrentProcess.processorCount())
    var members: [JobStatus] = []
    if link.connectIfRunning() {
      members = try jobs(all: false, on: link).filter { $0.terms.group == group.text }
    }
    let running = members.count { $0.state != .queued }
    if invocation.isSet(.json) {
      writeJSON {
        $0.field("group", group.text)
        $0.field("slots", count)
        $0.field("running", running)
        $0.field("queued", members.count - running)
      }
    } else {
      let slots = "\(count) \(count == 1 ? "slot" : "slots")"
      data.buffer(
        line: "\(group): \(slots), \(running) running, \(members.count - running) waiting")
    }
    data.flush()
    return ExitCode.success
  }

  /// The file is what counts: a runner reads it at once, and one that is started later, too.
  func set(slots count: UInt64, of group: GroupName, on link: RunnerLink) throws(WireError) {
    guard let count = Int(exactly: count), (1...Limits.slots).contains(count) else {
      throw WireError(
        .usage,
        "\(Flag.groupSlots.spelling) is \(count); it must be a whole number from 1 to"
          + " \(Limits.slots)")
    }
    try SettingsFile(path: link.paths.configurationFile).write(
      [.init(["groups", group.text], "\(count)")], "\"groups\": {\"\(group)\": \(count)}"
    ) { $0.groups[group] = count }
    if link.connectIfRunning() { _ = try link.ask(.reload) }
  }
}
