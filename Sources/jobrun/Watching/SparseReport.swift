import JobCore
import JobWire

/// The report on a job without a line that changes in place: state changes, and progress every tenth or every
/// half minute.
struct SparseReport {
  private static let interval = Interval.seconds(30)

  private var state: JobStatus.State?
  private var reason: String?
  private var hadPrompt = false
  private var pausedUntil: WallTime?
  private var tenth = 0
  private var saidAt: Instant?
  private var notice: String?

  /// The lines that are due now.
  mutating func lines(_ model: JobViewModel, at now: Instant) -> [String] {
    var lines: [String] = []
    if let notice = model.notice ?? model.job.warning, notice != self.notice {
      lines.append(SafeText.shown(notice))
    }
    notice = model.notice ?? model.job.warning
    if let change = change(model) {
      lines.append(change)
    } else if let progress = progress(model, at: now) {
      lines.append(progress)
    }
    guard !lines.isEmpty else { return [] }
    saidAt = now
    let number = model.tally == nil ? "\(model.job.number) " : ""
    let head = "\(number)\(SafeText.shown(model.job.title)): "
    return lines.map { head + $0 }
  }

  private mutating func change(_ model: JobViewModel) -> String? {
    let job = model.job
    let reason = job.pendingReason?.message
    let hasPrompt = job.prompt != nil
    let until = job.paused?.until
    guard
      job.state != state || reason != self.reason || hasPrompt != hadPrompt || until != pausedUntil
    else { return nil }
    (state, self.reason, hadPrompt, pausedUntil) = (job.state, reason, hasPrompt, until)
    switch job.state {
    case .queued:
      let place = job.position.map { ", #\($0)" } ?? ""
      return "waiting\(place)" + (reason.map { ": \(SafeText.shown($0))" } ?? "")
    case .launching: return nil
    case .running: return "running"
    case .stalled:
      let command = "jobrun continue \(job.number)"
      return "stalled" + (hasPrompt ? "; answer with \(command), or \(command) --no" : "")
    case .paused:
      let command = "jobrun resume \(job.number)"
      return reason.map { "paused, resumes when a slot is free: \(SafeText.shown($0))" }
        ?? model.pauseLeft.map {
          "paused, \(PauseText.resumes(in: $0)); \(command) resumes it now"
        }
        ?? "paused; \(command) resumes it"
    case .stopping:
      return "stopping" + (Receipt.stopReason(job).map { ": \($0)" } ?? "")
    case .ended: return nil
    }
  }

  private mutating func progress(_ model: JobViewModel, at now: Instant) -> String? {
    guard model.job.state == .running, let progress = model.job.progress else { return nil }
    let tenth = progress.fraction.map { Int($0 * 10) } ?? 0
    let isDue = saidAt.map { now - $0 >= Self.interval } ?? true
    guard tenth > self.tenth || isDue else { return nil }
    self.tenth = tenth
    var facts = [QuantityText.amount(progress.completed, of: progress.total, progress.unit)]
    if progress.goesOn, model.tally == nil {
      return QuantityText.whole(progress)
    }
    if progress.total > 0 {
      let (completed, total) = model.drawn
      let percent = QuantityText.percent(completed, of: total)
      facts.insert(String(percent.drop { $0 == " " }), at: 0)
    }
    if let tally = model.tally { facts.append(tally.text) }
    if let note = progress.note { facts.append(SafeText.shown(note)) }
    if let unchanged = model.unchanged {
      facts.append("no change for \(QuantityText.clock(unchanged))")
    } else if model.tally == nil, let rate = QuantityText.rate(model.rate, progress.unit) {
      facts.append(rate)
    }
    if let remaining = model.remaining {
      let range = progress.etaRange.map { "about \(QuantityText.range($0))" }
      facts.append("\(range ?? QuantityText.timeLeft(remaining).long) left")
    }
    facts.removeAll(where: { $0.isEmpty })
    return facts.joined(separator: "  ")
  }
}
