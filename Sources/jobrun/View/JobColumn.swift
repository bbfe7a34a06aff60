import JobCore
import JobWire

/// A column of `list --format` and `history --format`, for programs: names and meanings never change, new ones
/// are added at the end.
///
/// The names are those of the job object's fields if there is one.
enum JobColumn: String, CaseIterable {
  case number, identifier, definition, title, subtitle, state, outcome, position, percent
  case completed, total, unit, rate, eta, elapsed, attempt, exitCode, signal, pid
  case submitted, started, ended, reason, message, log
  /// The words of the command, with a space between them; JSON keeps them apart.
  case command
  /// The folder that it was submitted from.
  case directory
  case priority
  case group
  /// Where it runs, and on which machine there.
  case engine, node

  /// The columns of a list such as `number,state,title`.
  static func list(_ text: String) throws(WireError) -> [JobColumn] {
    var columns: [JobColumn] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      columns.append(try named(String(name), of: .format))
    }
    return columns
  }

  static func named(_ name: String, of flag: Flag) throws(WireError) -> JobColumn {
    if let column = JobColumn(rawValue: name) { return column }
    throw WireError(
      .usage,
      "\(flag.spelling): \(name.quoted) is not a column"
        + NearestName.hint(for: name, among: allCases.map { $0.rawValue }))
  }

  /// The value, on one line and without tabs; empty without a value.
  func text(of job: JobStatus, at now: Moment) -> String {
    SafeText.shown(value(of: job, at: now) ?? "")
  }

  private func value(of job: JobStatus, at now: Moment) -> String? {
    switch self {
    case .number: "\(job.number)"
    case .identifier: job.identifier
    case .definition: job.definition
    case .title: job.title
    case .subtitle: job.subtitle
    case .state: job.state.rawValue
    case .outcome: job.outcome?.rawValue
    case .position: job.position.map { "\($0)" }
    case .attempt: "\(job.attempt)"
    case .exitCode: job.exitCode.map { "\($0)" }
    case .signal: job.signal.map { "\($0)" }
    case .pid: job.pid.map { "\($0)" }
    case .reason: job.stopReason?.message ?? job.pendingReason?.message
    case .message: job.message
    case .log: job.log
    case .command: job.terms.command?.joined(separator: " ")
    case .directory: job.terms.directory
    case .priority: job.terms.priority.rawValue
    case .group: job.terms.group
    case .engine: job.terms.engine
    case .node: job.node
    case .percent, .completed, .total, .unit, .rate, .eta: progress(of: job)
    case .submitted, .started, .ended, .elapsed: time(of: job, at: now)
    }
  }

  private func progress(of job: JobStatus) -> String? {
    guard let progress = job.progress else { return nil }
    switch self {
    case .percent: return progress.fraction.map { "\(Int($0 * 100))" }
    case .completed: return "\(progress.completed)"
    case .total: return progress.total > 0 ? "\(progress.total)" : nil
    case .unit: return progress.unit.rawValue
    case .rate: return progress.rate.map { QuantityText.fixed($0, 1) }
    case .eta: return progress.eta.map { QuantityText.fixed($0, 0) }
    default: return nil
    }
  }

  private func time(of job: JobStatus, at now: Moment) -> String? {
    switch self {
    case .submitted: return job.submitted.text
    case .started: return job.started?.text
    case .ended: return job.ended?.text
    case .elapsed:
      return job.ran(until: now.wall).map {
        QuantityText.fixed(Double($0.milliseconds) / 1000, 1)
      }
    default: return nil
    }
  }
}
