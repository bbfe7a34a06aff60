import JobCore
import JobWire
import LinuxSystem

// Reading a helper's reports, within the limits of its allowance.
extension EngineLink {
  /// The maximum number of lines per turn of the loop.
  static var linesAtOnce: Int { 128 }
  /// Limits for the remaining output of an ended helper: bytes of reports, and chunks of standard error.
  private static var lastBytes: Int { 1 << 20 }
  private static var lastComplaints: Int { 4 }
  /// How much of the complaints is kept.
  private static var complaintBytes: Int { 4_096 }

  /// Handles some of its reports: other parts have their turn before the rest.
  func read() {
    if !hasMore { _ = readMore() }
    takeLines(atMost: Self.linesAtOnce)
  }

  /// The number of bytes read; nil = none for now.
  private func readMore() -> Int? {
    var bytes: [UInt8] = []
    guard case .bytes?? = try? output?.read(into: &bytes) else { return nil }
    lines.append(bytes)
    (heardAt, isAsked) = (.now(), false)
    return bytes.count
  }

  func takeLines(atMost most: Int) {
    TrapLog.during(label) { takeSomeLines(atMost: most) }
  }

  private func takeSomeLines(atMost most: Int) {
    let now = Instant.now()
    var count = 0
    hasMore = false
    while output != nil, let element = lines.next() {
      switch element {
      case .line(let line): take(line, at: now)
      case .tooLong: cut("it sent a line that is too long")
      }
      count += 1
      if count == most {
        hasMore = output != nil
        return
      }
    }
  }

  private func take(_ line: ArraySlice<UInt8>, at now: Instant) {
    do throws(WireError) {
      let report = try EngineReport(line: line)
      guard allowance.take(report.cost, attempts: attempts(), at: now) else {
        return cut("it sends too many lines")
      }
      if case .ready = report {
        isReady = true
        hasCopied = false
        pause = Self.firstPause
      }
      if isReady, trouble != nil {
        trouble = nil
        changed()
      }
      if case .lie(let why) = received(report) { cut(why) }
    } catch {
      // Login shells may print a greeting before.
      guard isReady || !allowance.take(1, attempts: 0, at: now) else { return }
      cut("it sent a line that is not a report: \(error.message)")
    }
  }

  /// Disconnects the helper and ends it; a restart follows later.
  private func cut(_ why: String) {
    guard process != nil, cutFor == nil else { return }
    cutFor = why
    isReady = false
    closeOutput()
    _ = try? process?.signal(Signal.kill)
    let isOld = Instant.now() - startedAt >= Self.lastPause
    cuts = isOld ? 0 : cuts + 1
    complain("\(why); the link was cut")
  }

  /// The last line of its standard error becomes the reported problem.
  func hear() {
    var bytes: [UInt8] = []
    switch try? complaints?.read(into: &bytes) {
    case .bytes?:
      complaint = Array((complaint + bytes).suffix(Self.complaintBytes))
      if !allowance.take(EngineReport.dear, attempts: 0, at: .now()) {
        cut("it writes too many errors")
      }
    case .end?:
      if let complaints = complaints.take() { loop.remove(complaints.number) }
    case .wouldBlock?, nil: return
    }
  }

  /// Its last reports and complaints.
  func takeLast() {
    var left = Self.lastBytes
    repeat {
      takeLines(atMost: .max)
      left -= readMore() ?? left
    } while left > 0
    takeLines(atMost: .max)
    for _ in 0..<Self.lastComplaints { hear() }
  }
}

extension EngineReport {
  /// The cost of a report that is written to the disk or to the runner's log, in lines.
  static let dear: UInt64 = 10

  /// The report's cost in the engine's allowance.
  var cost: UInt64 {
    switch self {
    case .ready, .page, .adopted, .pong: 1
    case .log(_, _, let bytes): bytes.count < 2_048 ? 1 : 0
    case .accepted, .pending, .started, .ended, .lost, .revoked, .refused, .contact, .note,
      .machine:
      Self.dear
    }
  }
}
