import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem
import MachineProbes

/// One live process tree: its supervisor, its page, and its announcements.
final class Attempt {
  let number: JobNumber
  let attempt: Int
  /// In the environment of every process of the tree.
  let token: String
  let recordPath: String
  let pagePath: String
  /// In which its processes live; nil where it got none.
  var group: ControlGroup?
  /// Nil while the page cannot be opened: it is gone, or the descriptors are.
  var reader: PageReader?
  /// Nil until an adopted attempt's supervisor has identified itself.
  var supervisor: ProcessDescriptor?
  var supervisorPID: Int32?
  /// Started by this runner, which therefore must reap it.
  let isChild: Bool
  /// It has a supervisor, a child of this runner, that could not be watched yet.
  var isUnwatched = false
  /// The pipe on which the supervisor announces its worker; nil afterwards, and for adopted attempts.
  var announcement: FileDescriptor?
  var announced: [UInt8] = []
  var hasStarted = false
  /// Its worker is known to have begun, by an earlier runner too: it is never made again.
  var hasBegun = false
  /// Whether its supervisor was killed.
  ///
  /// A supervisor that exits by itself would fail again, so only killed ones are replaced.
  var wasSupervisorKilled = false
  /// The resource that the machine lacked when its supervisor tried to begin.
  var lack: String?
  /// How often its tree was told to be killed.
  var kills = 0
  /// How often its record was read without finding its supervisor.
  var looks = 0
  var observer = ProgressObserver()
  /// How far the job was at which time; nil until it has run for a while.
  var trace: TraceFile?
  /// A sentence about processes that a pause does not reach; nil without a pause, or when it reaches all.
  var unreached: String?
  /// Its threads have a low priority, because it has no control group.
  var givesWay = false
  /// The processors' energy when it began; nil without counters, and for adopted attempts.
  var energyMark: ProcessorEnergy.Mark?
  /// Its numbers of what it shares with others.
  var places = AttemptPlaces()
  /// Set when it is over: whether its exit code was 0.
  var end: Bool?

  init(
    number: JobNumber, attempt: Int, token: String, recordPath: String, pagePath: String,
    isChild: Bool
  ) {
    self.number = number
    self.attempt = attempt
    self.token = token
    self.recordPath = recordPath
    self.pagePath = pagePath
    self.isChild = isChild
    openPage()
  }

  /// All remaining processes of the attempt, including re-parented ones.
  var tree: ProcessTree {
    ProcessTree(
      of: Array("JOBRUN_TOKEN=\(token)".utf8),
      below: supervisor == nil ? nil : supervisorPID.flatMap { ProcessIdentity(pid: $0) })
  }

  /// A job without a page runs without progress; a warning reports that.
  func openPage() {
    reader = try? PageReader(path: pagePath)
  }

  /// The current content of the page, if it can be opened.
  func page() -> PageSnapshot {
    if reader == nil { openPage() }
    guard reader != nil else {
      var missing = PageSnapshot()
      missing.condition = .unreadable
      return missing
    }
    return reader?.snapshot() ?? PageSnapshot()
  }

  /// Sets the signal that its supervisor sends in place of SIGTERM.
  func tell(stopSignal: Int32) throws {
    try PageControl(path: pagePath).write(stopSignal: UInt32(bitPattern: stopSignal))
  }

  /// Tells the worker through its page to stop.
  func tellStop(_ reason: StopReason, deadline: Instant) throws {
    try PageControl(path: pagePath).stop(
      reason: reason.code.pageValue, deadline: deadline.nanoseconds)
  }

  /// A stop that the earlier runner had decided but not sent to the worker; nil without one.
  func untoldStop(of row: JobRecord) -> (reason: StopReason, deadline: Instant)? {
    guard case .stopping(let reason, let deadline) = row.state, page().stop == nil else {
      return nil
    }
    return (reason, deadline)
  }

  /// Reads the supervisor's announcement; true when it is complete.
  func readAnnouncement() -> Bool {
    guard announcement != nil else { return true }
    while true {
      // If the pipe fails, the run record has the same data.
      switch (try? announcement?.read(into: &announced)) ?? .end {
      case .bytes: continue
      case .wouldBlock: return false
      case .end: return true
      }
    }
  }
}
