import JobCore
import JobWire
import TestKit

/// One submission, checked against all known facts.
struct JobAudit {
  let errand: Errand
  /// The jobs of the store that have its title.
  let rows: [JobStatus]
  let events: [Feed.Event]
  let ledger: Ledger
  /// Its supervisor was killed, so it may have been interrupted.
  let wasOrphaned: Bool
  /// The kernel may have killed any of its processes.
  let mayBeKilled: Bool
  /// Something had run out now and then, so that it may not have been accepted.
  let mayRefuse: Bool

  /// Holds each submission against the jobs of the store and the feed.
  static func report(
    on errands: [Errand], _ stored: [JobStatus], _ feed: Feed, _ workplace: Workplace,
    orphans: Set<JobNumber> = [], outOfMemory: [ClosedRange<WallTime>] = [],
    mayRefuse: Bool = false, to violations: inout [Violation]
  ) {
    let byTitle = Dictionary(grouping: stored, by: \.title)
    let events = Dictionary(grouping: feed.events, by: \.job.number)
    for errand in errands {
      let rows = byTitle[errand.name] ?? []
      let number = rows.first?.number
      JobAudit(
        errand: errand, rows: rows, events: number.flatMap { events[$0] } ?? [],
        ledger: Ledger(number.map { workplace.text(workplace.ledger(of: $0)) } ?? ""),
        wasOrphaned: number.map { orphans.contains($0) } ?? false,
        mayBeKilled: outOfMemory.contains { rows.first?.lived(during: $0) ?? false },
        mayRefuse: mayRefuse
      ).report(to: &violations)
    }
  }

  func report(to violations: inout [Violation]) {
    func add(_ kind: Violation.Class, _ sentence: String) {
      violations.append(Violation(kind, sentence, errand, number: rows.first?.number))
    }
    guard let job = rows.first else { return auditAbsence(add) }
    if rows.count > 1 { add(.twice, "it is in the store \(rows.count) times") }
    auditCommand(job, add)
    auditLife(job, add)
    auditStarts(job, add)
    // An attempt without an end, and a second one, are still faults.
    if mayBeKilled, job.state == .ended { return }
    guard job.state == .ended, let outcome = job.outcome else {
      return add(.lost, "it has not ended: \(job.state)")
    }
    auditEnd(job, outcome, add)
  }

  private typealias Add = (Violation.Class, String) -> Void

  private func auditAbsence(_ add: Add) {
    if errand.toldNumber != nil {
      add(.lost, "it was accepted and is not in the store")
    } else if errand.wasRefused && mayRefuse {
      return
    } else if !errand.wasKilled && !errand.gaveUp {
      add(.wrong, "it was not accepted, though nothing spoke against it")
    }
  }

  /// Checks the output of the command that submitted or watched it.
  private func auditCommand(_ job: JobStatus, _ add: Add) {
    if let told = errand.toldNumber, told != job.number {
      add(.wrong, "its command told the number \(told)")
    }
    guard !errand.wasKilled, !errand.gaveUp, let finished = errand.finished else { return }
    // A runner that cannot open more files refuses reconnecting clients.
    if errand.wasRefused, mayRefuse { return }
    let expected = errand.isWatched ? ExitCode.of(job) : 0
    if finished.status != expected {
      add(
        .wrong,
        "its command ended with \(finished.ending), not with \(expected.map { "\($0)" } ?? "-")")
    }
  }

  /// Its events begin with one acceptance and end with one end.
  private func auditLife(_ job: JobStatus, _ add: Add) {
    let kinds = events.map(\.kind)
    if kinds.first != .submitted || kinds.count(where: { $0 == .submitted }) != 1 {
      add(.wrong, "its events do not begin with one acceptance")
    }
    let ends = kinds.count { $0 == .ended }
    if ends == 0 { add(.lost, "no event tells of its end") }
    if ends > 1 { add(.twice, "it ended \(ends) times") }
    if ends == 1, kinds.last != .ended { add(.wrong, "something happened after its end") }
    if let last = events.last, last.kind == .ended, last.job.outcome != job.outcome {
      add(.wrong, "the feed and the store tell different ends")
    }
  }

  private func auditStarts(_ job: JobStatus, _ add: Add) {
    let allowed = errand.kind.starts
    if ledger.starts > allowed.upperBound {
      add(.twice, "it was started \(ledger.starts) times")
    }
    // A silent one that waits for a processor, or is stopped, may be ended before its first line.
    let mayBeMute = errand.kind == .silent && job.started != nil
    if ledger.starts < allowed.lowerBound, !wasOrphaned, !mayBeKilled, !mayBeMute {
      add(.wrong, "it was started \(ledger.starts) times")
    }
  }

  /// Checks the facts of the run record.
  private func auditFacts(_ job: JobStatus, _ add: Add) {
    if let started = job.started, let ended = job.ended {
      // Where clocks jump, two processes tell two times.
      if ended < started, !mayRefuse { add(.wrong, "it ended before it started") }
    } else {
      add(.wrong, "its times are not known")
    }
    if job.use.cpuSeconds == nil, !wasOrphaned { add(.wrong, "its processor time is not known") }
  }

  private func auditEnd(_ job: JobStatus, _ outcome: Outcome, _ add: Add) {
    if outcome == .interrupted, job.stopReason?.code == .supervisorLost {
      if !wasOrphaned { add(.wrong, "nobody killed its supervisor") }
      return
    }
    let expected = Expectation(errand)
    if outcome != expected.outcome || job.stopReason?.code != expected.stopReason {
      add(
        .wrong,
        "it should have ended as \(expected.outcome) \(expected.stopReason.map { "\($0)" } ?? "")")
    }
    // With its supervisor killed, a declared success is one, and nobody saw its exit.
    if let code = expected.exitCode, job.exitCode != code, !wasOrphaned || job.exitCode != nil {
      add(.wrong, "its exit code is \(job.exitCode.map { "\($0)" } ?? "unknown"), not \(code)")
    }
    if let signal = expected.signal, job.signal != signal {
      add(.wrong, "its signal is \(job.signal.map { "\($0)" } ?? "unknown"), not \(signal)")
    }
    if let units = expected.units, job.progress?.completed != units || job.progress?.total != units
    {
      add(.wrong, "its progress is not \(units) of \(units)")
    }
    if ledger.starts > 0 { auditFacts(job, add) }
    if errand.kind == .gpu, job.gpus.count != 1 { add(.wrong, "it had \(job.gpus.count) GPUs") }
    if errand.kind.endsByItself, !ledger.isClosed || ledger.ends != ledger.starts {
      add(.wrong, "its worker did not come to its end")
    }
  }
}

/// How a job of this kind ends without a killed supervisor or a power cut.
struct Expectation {
  var outcome = Outcome.succeeded
  var stopReason: StopReason.Code?
  var exitCode: Int32? = 0
  var signal: Int32?
  /// Its completed units.
  var units: UInt64?

  init(_ errand: Errand) {
    switch errand.kind {
    case .short, .long, .gpu, .licensed, .retried, .deferred, .resumable, .calling: break
    case .code, .plain:
      outcome = errand.code == 0 ? .succeeded : .failed
      exitCode = errand.code
    case .forking: (outcome, exitCode) = (.failed, 3)
    case .silent: (outcome, stopReason, exitCode) = (.expired, .silent, nil)
    case .stalled: (outcome, stopReason, exitCode) = (.expired, .stallDeclined, nil)
    case .cancelled, .freezing: (outcome, stopReason, exitCode) = (.cancelled, .user, nil)
    case .progress: units = 3
    case .paged: units = 5
    case .declared: outcome = .failed
    case .crashed: (outcome, exitCode, signal) = (.failed, nil, 11)
    }
  }
}

extension JobStatus {
  /// Whether an attempt of it may have run at some time in this range.
  fileprivate func lived(during range: ClosedRange<WallTime>) -> Bool {
    guard let ended else { return false }
    // The clock may have been an hour ahead at its start; and the runner learns of a start late when its
    // supervisor was killed before it reported one.
    let begin = min(started ?? submitted, ended)
    return begin.milliseconds <= range.upperBound.milliseconds + 2_000 && range.lowerBound <= ended
  }
}
