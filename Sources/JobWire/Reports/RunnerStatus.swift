package import JobCore

/// What `jobrun runner status` shows.
package struct RunnerStatus: Hashable, Sendable {
  package var pid: Int32
  package var version: String
  package var started: WallTime
  /// The state directory.
  package var home: String
  package var socket: String
  /// Jobs that have not ended, the queued ones among them.
  package var live = 0
  package var queued = 0
  package var running = 0
  /// For jobs without a group, and how many of them are taken.
  package var slots = 0
  package var slotsUsed = 0
  /// Jobs whose processes are stopped; they count among those that run.
  package var paused = 0
  /// Nothing starts until the runner is resumed.
  package var isHeld = false
  /// Groups of which nothing starts, by name.
  package var pausedGroups: [String] = []
  package var connections = 0
  /// Sequence number of the newest event; 0 = none yet.
  package var sequence: UInt64 = 0
  /// What a person should know: a database that was moved aside.
  package var notes: [String] = []

  /// Whether desktop notifications are shown; nil from an older runner.
  package var notifications: Finding?
  /// Whether the machine is kept from going to sleep by itself; nil from an older runner.
  package var keepAwake: Finding?
  /// Whether each attempt gets a control group; nil from an older runner.
  package var controlGroups: Finding?
  /// What became of pushes since it began; nil from an older runner.
  package var pushes: PushTally?

  /// What bundles get of the moments that the runner picks; nil from an older runner.
  package var budget: BudgetReport?

  /// Whether something is done.
  package struct Finding: Hashable, Sendable {
    package var isOn: Bool
    /// By what, or why not; never empty.
    package var why: String

    package init(isOn: Bool, why: String) {
      self.isOn = isOn
      self.why = why
    }
  }

  package init(pid: Int32, version: String, started: WallTime, home: String, socket: String) {
    self.pid = pid
    self.version = version
    self.started = started
    self.home = home
    self.socket = socket
  }
}

extension RunnerStatus: Coded {
  package init() {
    self.init(
      pid: 0, version: "", started: WallTime(milliseconds: 0), home: "", socket: "")
  }

  /// What `jobrun runner status --json` prints.
  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&pid, "pid")
    try coder.code(&version, "version")
    try coder.code(&started, "started")
    try coder.code(&home, "home")
    try coder.code(&socket, "socket")
    try coder.codeAlways(&live, "live")
    try coder.codeAlways(&queued, "queued")
    try coder.codeAlways(&running, "running")
    try coder.codeAlways(&slots, "slots")
    try coder.codeAlways(&slotsUsed, "slotsUsed")
    try coder.codeAlways(&connections, "connections")
    try coder.codeAlways(&sequence, "sequence")
    try coder.codeAlways(&notes, "notes")
    try coder.codeAlways(&notifications, "notifications")
    try coder.codeAlways(&paused, "paused")
    try coder.codeAlways(&isHeld, "held")
    try coder.codeAlways(&pausedGroups, "pausedGroups")
    try coder.codeAlways(&keepAwake, "keepAwake")
    try coder.codeAlways(&controlGroups, "controlGroups")
    try coder.codeAlways(&budget, "budget")
    try coder.codeAlways(&pushes, "pushes")
  }
}

extension RunnerStatus.Finding: Coded {
  package init() { self.init(isOn: false, why: "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&isOn, "on")
    try coder.code(&why, "why")
  }
}
