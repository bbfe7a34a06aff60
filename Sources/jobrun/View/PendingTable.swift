import JobCore
import JobWire
import LinuxSystem

/// The table of `jobrun pending`: waiting jobs, with their times or reasons.
enum PendingTable {
  private static let titleWidest = 32

  /// One row for each waiting job: `251 nb  at 22:30`.
  ///
  /// `width` is that of the terminal; nil without one, and lines are not cut.
  static func lines(_ jobs: [JobStatus], width: Int?, at now: Moment) -> [Line] {
    let rows = jobs.map { (number: "\($0.number)", title: title($0)) }
    let numbers = rows.map { $0.number.count }.max() ?? 0
    let titles = rows.map { TextWidth.of($0.title) }.max() ?? 0
    var said: String?
    return zip(jobs, rows).map { job, row in
      var line = Line(String(repeating: " ", count: numbers - row.number.count))
      line.append(row.number + " ", .strong)
      line.append(TextWidth.padded(row.title, to: titles) + "  ")
      let reason = sentence(job, at: now)
      line.append(wait(job, at: now, said: said))
      if let priority = job.shownPriority { line.append("  priority \(priority)") }
      said = reason
      if ahead(job, at: now) == nil {
        line.append("  since \(ShownTime.past(job.submitted, now: now.wall))", .faint)
      }
      return line.cut(to: width)
    }
  }

  private static func title(_ job: JobStatus) -> String {
    TextWidth.start(of: Receipt.title(job), fitting: titleWidest)
  }

  /// The sentence with the place in the queue; not repeated if the job above has just `said` it.
  private static func wait(_ job: JobStatus, at now: Moment, said: String?) -> String {
    let reason = sentence(job, at: now) ?? "waits"
    guard let position = job.position, ahead(job, at: now) == nil else { return reason }
    let place = "#\(position) in the queue"
    return reason == said ? place : "\(place): \(reason)"
  }

  /// The awaited time or the missing resource; nil when the job does not wait.
  static func sentence(_ job: JobStatus, at now: Moment) -> String? {
    guard let reason = job.pendingReason else { return nil }
    guard let time = time(job, at: now) else { return SafeText.shown(reason.message) }
    if reason.code == .budget { return "\(time): \(SafeText.shown(reason.message))" }
    let needs =
      job.terms.requires.isEmpty ? "" : ", needs " + job.terms.requires.joined(separator: " and ")
    let again = job.terms.recurrence.map { ", \($0.words)" } ?? ""
    return time + needs + again
  }

  /// Until when a job waits, as `at 22:30`; nil when it waits for no time.
  static func time(_ job: JobStatus, at now: Moment) -> String? {
    ahead(job, at: now).map { "at \(ShownTime.ahead($0, now: now.wall))" }
  }

  /// The time that it waits for; nil when that has come.
  private static func ahead(_ job: JobStatus, at now: Moment) -> WallTime? {
    guard let code = job.pendingReason?.code, code == .notBefore || code == .budget,
      let earliest = job.terms.earliest,
      earliest > now.wall
    else { return nil }
    return earliest
  }
}

extension JobStatus {
  /// Nil where it is as usual.
  var shownPriority: String? {
    terms.priority == .normal ? nil : terms.priority.rawValue
  }
}

extension Recurrence {
  /// `every 1d at 03:00`, `mon-fri at 03:00`.
  var words: String {
    let at = minuteOfDay.map { " at \(ClockText.format($0))" } ?? ""
    if let days { return "\(CivilDaysText.format(days))\(at)" }
    return "every \(DurationText.format(every))\(at)"
  }
}
