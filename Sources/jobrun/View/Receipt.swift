import JobCore
import JobWire
import LinuxSystem

/// The summary of an ended job: outcome, time, amount, rate, and the reason of a stop.
enum Receipt {
  /// One line, such as `✓ 12 Trip 2026 succeeded in 14.2 s · 2.8 GB · 197 MB/s`.
  static func line(_ job: JobStatus) -> Line {
    var line = Line("\(mark(job)) ", style(job))
    line.append("\(job.number) ")
    line.append(title(job), .strong)
    line.append(" \(happening(job))")
    let seconds = runningSeconds(job)
    if let seconds {
      line.append(job.outcome == .succeeded ? " in " : " after ")
      line.append(QuantityText.length(seconds))
    }
    for fact in [amount(job), rate(job, seconds)] {
      if let fact { line.append(" · \(fact)", .faint) }
    }
    if let reason = reason(job) { line.append(": \(reason)") }
    if let warning = job.warning { line.append(" · \(SafeText.shown(warning))", .warning) }
    return line
  }

  static func title(_ job: JobStatus) -> String {
    let title = SafeText.shown(job.title)
    return title.isEmpty ? job.identifier : title
  }

  static func mark(_ job: JobStatus) -> String {
    switch job.outcome {
    case .succeeded: "✓"
    case .failed, .refused: "✗"
    case .cancelled, .expired, .interrupted, nil: "■"
    }
  }

  static func style(_ job: JobStatus) -> Line.Style {
    switch job.outcome {
    case .succeeded: .good
    case .failed, .refused: .bad
    case .cancelled, .expired, .interrupted, nil: .warning
    }
  }

  private static func happening(_ job: JobStatus) -> String {
    guard job.outcome == .failed else { return job.outcome?.rawValue ?? job.state.rawValue }
    return status(job).map { "failed (\($0))" } ?? "failed"
  }

  /// How its process ended, if that adds information: `exit code 3`.
  static func status(_ job: JobStatus) -> String? {
    if let signal = job.signal { return "killed by \(Signal.name(signal))" }
    if let code = job.exitCode, code != 0 { return "exit code \(code)" }
    return nil
  }

  /// Without its pauses.
  static func runningSeconds(_ job: JobStatus) -> Double? {
    job.ran.map { Double($0.milliseconds) / 1000 }
  }

  /// The total after a success; otherwise the progress.
  static func amount(_ job: JobStatus) -> String? {
    guard let progress = job.progress, progress.completed > 0 else { return nil }
    let isWhole = progress.completed >= progress.total
    switch progress.unit {
    case .bytes:
      return QuantityText.amount(
        progress.completed, of: isWhole ? 0 : progress.total, progress.unit)
    case .share:
      return isWhole
        ? nil
        : String(QuantityText.percent(progress.completed, of: progress.total).drop { $0 == " " })
    case .items where isWhole: return QuantityText.items(progress.completed)
    case .items: return "\(progress.completed)/\(progress.total) items"
    }
  }

  private static func rate(_ job: JobStatus, _ seconds: Double?) -> String? {
    guard let progress = job.progress, progress.completed > 0, let seconds, seconds >= 0.05 else {
      return nil
    }
    return QuantityText.rate(Double(progress.completed) / seconds, progress.unit)
  }

  /// The reason of its end, or its last message.
  static func reason(_ job: JobStatus) -> String? {
    if job.outcome == .succeeded { return job.message.map(SafeText.shown) }
    return stopReason(job) ?? (job.message ?? job.pendingReason?.message).map(SafeText.shown)
  }

  /// The reason of its stop; nil if it adds nothing to *cancelled*.
  static func stopReason(_ job: JobStatus) -> String? {
    job.stopReason == .requested ? nil : job.stopReason.map { SafeText.shown($0.message) }
  }

  /// The end of a failed job's output, without the line that the receipt has said already.
  static func outputEnd(_ job: JobStatus) -> [String] {
    var lines = LogReader.last(10, of: job.log)
    if let last = lines.last, last.trimmed == reason(job) { lines.removeLast() }
    return lines
  }
}

extension String {
  /// Without the blanks at its ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
