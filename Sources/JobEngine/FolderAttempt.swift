internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// One attempt as the sending side sees it through the files in its folder, whatever starts it.
class FolderAttempt {
  let name: EngineAttempt
  let folder: JobFolder
  var control = ControlPage()
  /// Opened once.
  private var mirror: SharedPage?
  /// The sequence number of the last report.
  private(set) var reportedSequence: UInt64 = 0
  /// How much of the log the runner has.
  private var logSent: UInt64 = 0
  /// How many bytes before that were cut off.
  private var logCut: UInt64 = 0
  private(set) var hasStarted = false
  /// An earlier helper reported that it has started.
  private var wasReportedStarted = false
  /// Its mirror says that it has ended.
  private(set) var hasEnded = false
  /// When to check it, on `AwakeClock`.
  var lookAt: UInt64
  /// A client watches it until then.
  var fastUntil: UInt64 = 0
  /// When its mirror last changed, and whether its silence was reported.
  private(set) var heardAt: UInt64
  private(set) var isSilent = false
  /// Its last number in the file of changes.
  var seenChange: UInt64?

  /// The bytes of one line, each of which may take six.
  private static let logChunk = 8 << 10
  /// Lines of the log at a time, before other attempts get their turn.
  private static let chunksAtOnce = 32

  required init(_ name: EngineAttempt, in store: String, pace: UInt32) {
    self.name = name
    folder = JobFolder(store: store, number: name.job.value, attempt: UInt64(name.attempt))
    lookAt = AwakeClock.now()
    heardAt = lookAt
    control.paceMilliseconds = pace
  }

  /// It has started, whatever its folder shows now.
  var hasBegun: Bool { hasStarted || wasReportedStarted }

  /// Restores the state that the runner already has.
  func goOn(with adoption: EngineAdoption) {
    if adoption.hasStarted { wasReportedStarted = true }
    logSent = min(adoption.logBytes, LogLayout.largest)
    logCut = min(logCut, logSent)
  }

  /// Writes everything that the supervisor needs into the folder.
  func makeFolder(_ launch: EngineLaunch, _ order: [UInt8]) throws(SystemError) {
    let page = PageFile.content(
      number: name.job.value, attempt: UInt64(name.attempt), title: launch.title,
      subtitle: launch.subtitle)
    let (order, input) = (order.dropLast(launch.inputBytes), order.suffix(launch.inputBytes))
    try folder.make(Array(order), page: page, control: control, input: Array(input))
  }

  /// Resumes the orders that an earlier helper has written.
  func readControl() {
    guard let bytes = try? File.readAll(folder.control, limit: 1 << 16),
      let control = ControlPage(decoding: bytes)
    else { return }
    self.control = control
  }

  /// Writes the orders for the supervisor, which reads them at its next poll.
  func writeControl() throws(SystemError) {
    control.serial &+= 1
    try SharedPage.write(
      control.encoded(), to: File.open(folder.control, [.write, .noFollow]))
  }

  /// Revokes the attempt unless it has started; true: it never will.
  ///
  /// An attempt that was reported as started has started, even if its folder was removed.
  func revoke() throws(SystemError) -> Bool {
    if hasBegun { return false }
    if try File.status(folder.record, followingLinks: false) != nil { return false }
    try File.makeDirectories(folder.path)
    return try RemoteClaim.make(folder, .revoked)
  }

  /// The supervisor's record; nil = unreadable or missing.
  func record() -> (record: RunRecord, text: String)? {
    guard let bytes = try? File.readAll(folder.record, limit: 1 << 16) else { return nil }
    return (RunRecord(parsing: bytes), String(decoding: bytes, as: UTF8.self))
  }

  /// Whether its record is missing, as opposed to unreadable for now.
  var hasNoRecord: Bool {
    do throws(SystemError) {
      return try File.status(folder.record, followingLinks: false) == nil
    } catch {
      return false
    }
  }

  /// The message for an attempt whose record is missing.
  var removalMessage: String {
    "\(folder.path) was removed while the job ran, so how it ended is not known"
  }

  func remove() {
    try? File.removeTree(folder.path)
    // The job is over when an attempt is forgotten.
    try? File.removeTree(folder.state)
  }
}

// Reading its files.
extension FolderAttempt {
  /// Reports changes; after `silence`, in nanoseconds, reports that there are none.
  func look(silence: UInt64, _ report: (EngineReport) -> Void) {
    let now = AwakeClock.now()
    let mirror = readMirror()
    if sendLog(report) { lookAt = now }
    guard let mirror, mirror.sequence > reportedSequence else {
      if !isSilent, hasStarted, now - heardAt > silence {
        isSilent = true
        report(.contact(name, silentMilliseconds: (now - heardAt) / 1_000_000))
      }
      return
    }
    heardAt = now
    if isSilent {
      isSilent = false
      report(.contact(name, silentMilliseconds: nil))
    }
    tell(mirror, report)
  }

  /// Reports everything that must precede the end.
  func tellRest(_ record: RunRecord, _ report: (EngineReport) -> Void) {
    if !hasStarted, record.started != nil {
      begin(on: record.claimed?.node ?? CurrentProcess.hostName(), report)
    }
    if let mirror = readMirror(), mirror.sequence > reportedSequence { tell(mirror, report) }
    while sendLog(report) {}
  }

  func begin(on node: String, _ report: (EngineReport) -> Void) {
    hasStarted = true
    report(.started(name, node: node))
  }

  private func readMirror() -> Mirror? {
    if mirror == nil { mirror = try? SharedPage(path: folder.mirror) }
    guard let bytes = try? mirror?.read() else { return nil }
    return Mirror(decoding: bytes)
  }

  private func tell(_ mirror: Mirror, _ report: (EngineReport) -> Void) {
    reportedSequence = mirror.sequence
    hasEnded = mirror.state == .ended
    if !hasStarted {
      switch RunRecord.Line(parsing: mirror.line) {
      case .started, .stopping, .ended: begin(on: mirror.node, report)
      default: break
      }
    }
    report(.page(name, RemoteSample(mirror)))
  }

  /// Sends a part of the log that the runner lacks; returns whether there is more.
  private func sendLog(_ report: (EngineReport) -> Void) -> Bool {
    guard let log = try? File.open(folder.log, [.read, .nonblocking]), let size = try? log.size()
    else { return false }
    // Where files have no holes, the log was cut behind its head.
    if size + logCut < logSent { logCut = logSent - size }
    for _ in 0..<Self.chunksAtOnce {
      // The part that the supervisor left out of a long log is skipped.
      guard let start = log.dataStart(from: logSent - logCut) else { return false }
      let length = (log.holeStart(from: start) ?? .max) - start
      guard let bytes = try? log.read(at: start, maximum: Int(min(length, UInt64(Self.logChunk)))),
        !bytes.isEmpty
      else { return false }
      // It may have been left out while it was read.
      let end = start + UInt64(bytes.count)
      if log.dataStart(from: start) != start || (log.holeStart(from: start) ?? .max) < end {
        continue
      }
      report(.log(name, from: start + logCut, bytes))
      logSent = end + logCut
    }
    return true
  }
}
