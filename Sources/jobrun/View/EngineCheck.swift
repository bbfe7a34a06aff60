import JobCore
import JobWire
import LinuxSystem

/// How far a job got on an engine, and how long each step took.
struct EngineCheck {
  private let engine: EngineSettings
  private let start = AwakeClock.now()
  private var acceptedAt: UInt64?
  private var startedAt: UInt64?
  private var node: String?
  private var endedAt: UInt64 = 0

  /// How long a job of an instant may take: a cluster that is full says so itself.
  private static let timeout: UInt64 = 30_000_000_000

  init(_ engine: EngineSettings) { self.engine = engine }

  mutating func note(_ job: JobStatus) {
    let now = AwakeClock.now()
    if acceptedAt == nil, job.engineJob != nil || job.node != nil { acceptedAt = now }
    if startedAt == nil, let node = job.node { (startedAt, self.node) = (now, node) }
    endedAt = now
  }

  /// It takes too long, or cannot be reached: nobody needs to wait for more.
  func isOver(_ job: JobStatus) -> Bool {
    AwakeClock.now() > start + Self.timeout || isSilent(job)
  }

  private func isSilent(_ job: JobStatus) -> Bool {
    [job.pendingReason?.message, job.warning].contains {
      $0.map { EngineName.isSilence($0, of: engine.name) } ?? false
    }
  }

  static func problem(_ job: JobStatus) -> String {
    job.state == .ended
      ? job.stopReason?.message ?? job.message ?? "the job failed"
      : job.pendingReason?.message ?? job.warning ?? "it does not answer"
  }

  /// A line for each step, up to the one that failed, which says what to do.
  func lines(_ job: JobStatus) -> [String] {
    let isSuccess = job.outcome == .succeeded
    // All may happen between two looks.
    let isAccepted = acceptedAt != nil || isSuccess
    let isStarted = startedAt != nil || isSuccess
    var lines = [
      "\(engine.name): \(engine.kind.rawValue)\(engine.through.map { " through \($0)" } ?? "")"
    ]
    let isReached = isAccepted || !isSilent(job)
    lines.append(line(isReached, "reachable", isReached ? "" : reachability))
    if !isReached { return lines }
    lines.append(line(true, "can require", engine.requirable))
    lines.append(
      line(isAccepted, "accepts a job", isAccepted ? after(acceptedAt) : "see the message below"))
    if !isAccepted { return lines }
    let place = engine.folder.map { ", and sees \($0)" } ?? ""
    lines.append(
      line(
        isStarted, "a node runs it",
        isStarted ? "\(node.map { "\($0), " } ?? "")\(after(startedAt))\(place)" : waiting))
    if isStarted {
      lines.append(
        line(isSuccess, "its end is told", isSuccess ? after(endedAt) : "see the message below"))
    }
    return lines
  }

  private func line(_ isGood: Bool, _ what: String, _ words: String) -> String {
    let name = what + String(repeating: " ", count: max(1, 17 - what.utf8.count))
    return words.isEmpty
      ? "  \(isGood ? "✓" : "✗") \(what)" : "  \(isGood ? "✓" : "✗") \(name)\(words)"
  }

  private func after(_ time: UInt64?) -> String {
    "after \(((time ?? endedAt) - start) / 1_000_000) ms"
  }

  private var reachability: String {
    engine.through.map { "try: ssh \($0) true" }
      ?? "jobrun runner status shows the runner that starts its helper"
  }

  private var waiting: String {
    guard engine.kind != .host else { return "see the message below" }
    return "its nodes must see \(engine.folder ?? "its folder") under the same path;"
      + " jobrun engines queue \(engine.name) shows how full it is"
  }
}
