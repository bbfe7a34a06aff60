import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem

/// One live process tree: its supervisor, its page, and how it speaks to us.
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
  /// Nil while an adopted attempt's supervisor has not said who it is.
  var supervisor: ProcessDescriptor?
  var supervisorPID: Int32?
  /// Started by this runner, which therefore must reap it.
  let isChild: Bool
  /// It has a supervisor, a child of this runner, that could not be watched yet.
  var isUnwatched = false
  /// Where the supervisor says that the worker runs; nil once it has, and for adopted attempts.
  var announcement: FileDescriptor?
  var announced: [UInt8] = []
  var hasStarted = false
  /// Its worker is known to have begun, by an earlier runner too: it is never made again.
  var hasBegun = false
  /// Its supervisor was killed.
  ///
  /// One that exits by itself would fail again, so only killed ones are replaced.
  var wasSupervisorKilled = false
  /// Its supervisor began nothing, as the machine lacks this.
  var lack: String?
  /// How often its tree was to be killed.
  var kills = 0
  /// How often its record was looked at in vain for who supervises it.
  var looks = 0
  var witness = ProgressObserver()
  /// How far the job was at which time; nil until it has run for a while.
  var trace: TraceFile?
  /// In a sentence what a pause does not reach; nil while it is not paused, or reached whole.
  var unreached: String?
  /// Its threads go after those of others, without a control group.
  var givesWay = false
  /// What the processors had used when it began; nil where they do not tell, and for adopted attempts.
  var energyMark: ProcessorEnergy.Mark?
  /// Among those of its group, from 1; 0 where an earlier runner gave it.
  var slot = 0
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

  /// Whatever is left of it, wherever it went.
  var tree: ProcessTree {
    ProcessTree(
      of: Array("JOBRUN_TOKEN=\(token)".utf8),
      below: supervisor == nil ? nil : supervisorPID.flatMap { ProcessIdentity(pid: $0) })
  }

  /// A job without a page goes on without progress; that it has none is told as a warning.
  func openPage() {
    reader = try? PageReader(path: pagePath)
  }

  /// What the page shows now, if it can be opened by now.
  func page() -> PageSnapshot {
    if reader == nil { openPage() }
    guard reader != nil else {
      var missing = PageSnapshot()
      missing.condition = .unreadable
      return missing
    }
    return reader?.snapshot() ?? PageSnapshot()
  }

  /// Tells the worker through its page to stop.
  func tellStop(_ reason: StopReason, deadline: Instant) throws {
    try PageControl(path: pagePath).stop(
      reason: reason.code.pageValue, deadline: deadline.nanoseconds)
  }

  /// What the runner of before had decided to tell the worker and had not told it; nil when there is
  /// nothing.
  func untoldStop(of row: JobRecord) -> (reason: StopReason, deadline: Instant)? {
    guard row.state == .stopping, let reason = row.stopReason, let deadline = row.stopDeadline,
      page().stop == nil
    else { return nil }
    return (reason, deadline)
  }

  /// Takes what the supervisor has announced; true when it will say no more.
  func readAnnouncement() -> Bool {
    guard announcement != nil else { return true }
    while true {
      // Whatever is wrong with the pipe, the run record says the same.
      switch (try? announcement?.read(into: &announced)) ?? .end {
      case .bytes: continue
      case .wouldBlock: return false
      case .end: return true
      }
    }
  }
}
