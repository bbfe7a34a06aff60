import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Flag {
  static let groupSlots = Flag(
    "slots", .text("N|default"), "maximum number of jobs of the group that run at the same time")
  static let batchSlots = Flag(
    "slots", .count("N"),
    "run N of them at a time: in slots of their own, or, with --group, in those of the group")
  static let pauseGroup = Flag(
    "pause", .none,
    "start no more jobs of the group; running ones continue")
  static let resumeGroup = Flag("resume", .none, "let jobs of the group start again")
}

extension Program {
  /// The state of a group for output.
  private struct GroupState {
    let name: GroupName
    let slots: Int
    var running = 0
    var queued = 0
    var isPaused = false

    var line: String {
      "\(name): \(slots) \(slots == 1 ? "slot" : "slots"), \(running) running, \(queued) waiting"
        + (isPaused ? ", paused" : "")
    }
  }

  /// Carries out `jobrun group [NAME] [--slots N|default] [--pause] [--resume]`.
  func group(_ invocation: Invocation) throws(WireError) -> Int32 {
    let link = try link()
    let name = try invocation.operands.first.map { word throws(WireError) in
      if let group = try word.group() { return group }
      return try GroupName(checking: word.text)
    }
    if let name { try change(name, invocation, on: link) } else { try checkNamed(invocation) }
    let groups = try states(of: name, on: link)
    for group in groups {
      if invocation.isSet(.json) {
        writeJSON {
          $0.field("group", group.name.text)
          $0.field("slots", group.slots)
          $0.field("running", group.running)
          $0.field("queued", group.queued)
          $0.field("paused", group.isPaused)
        }
      } else {
        data.buffer(line: group.line)
      }
    }
    if groups.isEmpty { talk.write(line: "no group has jobs, or slots of its own") }
    data.flush()
    return ExitCode.success
  }

  private func checkNamed(_ invocation: Invocation) throws(WireError) {
    for flag in [Flag.groupSlots, .pauseGroup, .resumeGroup] where invocation.isSet(flag) {
      throw WireError(
        .usage, "\(flag.spelling) needs the name of a group, as in jobrun group render")
    }
  }

  private func change(
    _ group: GroupName, _ invocation: Invocation, on link: RunnerLink
  ) throws(WireError) {
    let (pauses, resumes) = (invocation.isSet(.pauseGroup), invocation.isSet(.resumeGroup))
    if pauses, resumes {
      throw WireError(.usage, "--pause and --resume cannot be used together")
    }
    if let text = invocation.text(.groupSlots) {
      if text == "default" {
        try set(slots: nil, of: group, on: link)
      } else {
        guard let count = UInt64(text) else {
          throw WireError(
            .usage,
            "\(Flag.groupSlots.spelling) is \(text.quoted); it must be a whole number from 1 to"
              + " \(Limits.slots), or default")
        }
        try set(slots: count, of: group, on: link)
      }
    }
    if pauses || resumes { _ = try link.ask(.pauseGroup(group, pauses)) }
  }

  /// Of one group, or of all that have jobs or slots of their own, by their names.
  private func states(of name: GroupName?, on link: RunnerLink) throws(WireError) -> [GroupState] {
    let configuration = try surroundings.configuration(link.paths)
    let usual = configuration.slots ?? max(2, CurrentProcess.processorCount())
    var members: [JobStatus] = []
    var status = RunnerStatus?.none
    if link.connectIfRunning() {
      members = try jobs(all: false, on: link)
      if case .status(let answer) = try link.ask(.status) { status = answer }
    }
    let paused = Set(status?.pausedGroups ?? [])
    var names = Set(members.compactMap { $0.terms.group.flatMap { GroupName($0) } })
    names.formUnion(configuration.groups.keys)
    names.formUnion(paused.compactMap { GroupName($0) })
    let wanted = name.map { [$0] } ?? names.sorted { $0.text < $1.text }
    return wanted.map { name in
      let own = members.filter { $0.terms.group == name.text }
      let brought = own.compactMap { $0.terms.options?.groupSlots }.last { $0 > 0 }
      let running = own.count { $0.state != .queued }
      return GroupState(
        name: name, slots: configuration.groups[name] ?? brought ?? usual, running: running,
        queued: own.count - running, isPaused: paused.contains(name.text))
    }
  }

  /// Only the file counts: a running runner reads it at once, and others at their start; nil = the default
  /// number.
  func set(slots count: UInt64?, of group: GroupName, on link: RunnerLink) throws(WireError) {
    let slots = try count.map { count throws(WireError) in
      try SubmitRequest.slots(count, .groupSlots)
    }
    try SettingsFile(path: link.paths.configurationFile).write(
      [.init(["groups", group.text], slots.map { "\($0)" })],
      "\"groups\": {\"\(group)\": \(slots.map { "\($0)" } ?? "…")}"
    ) { $0.groups[group] = slots }
    if link.connectIfRunning() { _ = try link.ask(.reload) }
  }
}
