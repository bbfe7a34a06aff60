import JobCore
import JobWire
import LinuxSystem

/// The table of `jobrun pending`.
enum PendingTable {
  /// One row for each job that waits, and below it what for.
  ///
  /// `width` is that of the terminal; nil when there is none, and nothing is cut.
  static func lines(_ jobs: [JobObject], width: Int?, at now: Moment) -> [Line] {
    let rows = jobs.map { job in
      ["\(job.number)", job.kind.rawValue, wait(job, at: now), job.identifier]
    }
    let widths = (0..<3).map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
    var lines: [Line] = []
    for (job, cells) in zip(jobs, rows) {
      var line = Line(String(repeating: " ", count: widths[0] - cells[0].count))
      line.append(cells[0] + "  ", .strong)
      line.append(TextWidth.padded(cells[1], to: widths[1]) + "  ")
      line.append(TextWidth.padded(cells[2], to: widths[2]) + "  ")
      line.append(cells[3], .faint)
      lines.append(line.cut(to: width))
      guard let sentence = sentence(job, at: now) else { continue }
      let note = Line(
        String(repeating: " ", count: widths[0] + 2) + SafeText.shown(sentence), .warning)
      lines.append(note.cut(to: width))
    }
    return lines
  }

  /// How long it waits already, or still.
  private static func wait(_ job: JobObject, at now: Moment) -> String {
    if let earliest = ahead(job, at: now) {
      let left = earliest.milliseconds - now.wall.milliseconds
      return "in \(QuantityText.clock(.milliseconds(UInt64(left))))"
    }
    return "for \(QuantityText.clock(now.since(job.submitted)))"
  }

  /// What a job waits for; nil when it does not wait.
  static func sentence(_ job: JobObject, at now: Moment) -> String? {
    guard let reason = job.pendingReason else { return nil }
    guard reason.code == .notBefore, let earliest = ahead(job, at: now) else {
      return "\(reason.code.rawValue): \(reason.message)"
    }
    let needs = job.requires.isEmpty ? "" : ", then " + job.requires.joined(separator: " and ")
    return "notBefore: \(clock(earliest, at: now))\(needs)"
  }

  /// Until when a job waits, as `waits until 22:30`; nil when it waits for no time.
  static func time(_ job: JobObject, at now: Moment) -> String? {
    ahead(job, at: now).map { clock($0, at: now) }
  }

  /// The time that it waits for; nil when that has come.
  private static func ahead(_ job: JobObject, at now: Moment) -> WallTime? {
    guard job.pendingReason?.code == .notBefore, let earliest = job.earliest, earliest > now.wall
    else { return nil }
    return earliest
  }

  /// `22:30` within a day, and the whole time beyond.
  private static func clock(_ time: WallTime, at now: Moment) -> String {
    time.milliseconds - now.wall.milliseconds < 86_400_000
      ? "waits until \(LocalClock.text(time.milliseconds))" : "waits until \(time.text)"
  }
}
