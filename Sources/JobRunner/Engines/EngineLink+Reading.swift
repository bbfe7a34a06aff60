import JobCore
import JobWire
import LinuxSystem

// What a helper tells, as far as the runner listens.
extension EngineLink {
  /// Lines that are taken in one turn of the loop.
  static var linesAtOnce: Int { 128 }
  /// Of what is left of one that has ended, in bytes, and in pieces of what it complains of.
  private static var lastBytes: Int { 1 << 20 }
  private static var lastComplaints: Int { 4 }
  /// How much of the complaints is kept.
  private static var complaintBytes: Int { 4_096 }

  /// Takes some of what it has told: others have their turn before the rest.
  func read() {
    if !hasMore { _ = readMore() }
    takeLines(atMost: Self.linesAtOnce)
  }

  /// How many bytes it has told; nil = none for now.
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
      // A shell that greets whoever logs in does so before.
      guard isReady || !allowance.take(1, attempts: 0, at: now) else { return }
      cut("it sent a line that is not a report: \(error.message)")
    }
  }

  /// Hears it no more, and ends it; another one is tried later.
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

  /// The last of what it complains of is the sentence to tell.
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

  /// What it told and complained of last.
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
  /// What is written to the disk for it, or to the runner's log, costs as much as so many others.
  static let dear: UInt64 = 10

  /// What it costs of an engine's allowance.
  var cost: UInt64 {
    switch self {
    case .ready, .page, .adopted, .pong: 1
    case .log(_, _, let bytes): bytes.count < 2_048 ? 1 : 0
    case .accepted, .pending, .started, .ended, .lost, .revoked, .refused, .contact, .note:
      Self.dear
    }
  }
}
