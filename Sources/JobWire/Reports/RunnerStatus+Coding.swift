extension RunnerStatus {
  /// The status as JSON without newline: what `jobrun runner status --json` prints.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  init(_ fields: JSONFields) throws(WireError) {
    self.init(
      pid: try fields.number("pid"), version: try fields.string("version"),
      started: try fields.time("started"), home: try fields.string("home"),
      socket: try fields.string("socket"))
    live = try fields.optionalNumber("live") ?? 0
    queued = try fields.optionalNumber("queued") ?? 0
    running = try fields.optionalNumber("running") ?? 0
    slots = try fields.optionalNumber("slots") ?? 0
    paused = try fields.optionalNumber("paused") ?? 0
    isHeld = try fields.optionalBool("held") ?? false
    pausedGroups = try fields.strings("pausedGroups")
    connections = try fields.optionalNumber("connections") ?? 0
    sequence = try fields.optionalNumber("sequence") ?? 0
    notes = try fields.strings("notes")
    notifications = try fields.optionalObject("notifications").map(Finding.init)
    keepAwake = try fields.optionalObject("keepAwake").map(Finding.init)
    controlGroups = try fields.optionalObject("controlGroups").map(Finding.init)
    budget = try fields.optionalObject("budget").map(BudgetReport.init)
    if let tally = try fields.optionalObject("pushes") { pushes = try PushTally(tally) }
  }
}

extension RunnerStatus.Finding {
  fileprivate init(_ fields: JSONFields) throws(WireError) {
    self.init(isOn: try fields.bool("on"), why: try fields.string("why"))
  }
}

extension JSONWriter {
  private mutating func field(_ name: StaticString, _ finding: RunnerStatus.Finding?) {
    key(name)
    guard let finding else { return null() }
    beginObject()
    field("on", finding.isOn)
    field("why", finding.why)
    endObject()
  }

  mutating func value(_ status: RunnerStatus) {
    beginObject()
    field("pid", status.pid)
    field("version", status.version)
    field("started", status.started)
    field("home", status.home)
    field("socket", status.socket)
    field("live", status.live)
    field("queued", status.queued)
    field("running", status.running)
    field("slots", status.slots)
    field("connections", status.connections)
    field("sequence", status.sequence)
    field("notes", status.notes)
    field("notifications", status.notifications)
    field("paused", status.paused)
    field("held", status.isHeld)
    field("pausedGroups", status.pausedGroups)
    field("keepAwake", status.keepAwake)
    field("controlGroups", status.controlGroups)
    key("budget")
    if let budget = status.budget { value(budget) } else { null() }
    key("pushes")
    if let pushes = status.pushes { value(pushes) } else { null() }
    endObject()
  }
}
