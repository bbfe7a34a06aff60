import JobCore
import JobWire
import TestKit

/// The promises before the power cuts, checked against the state afterwards.
struct PowerAudit {
  /// The lines of feeds before a cut.
  let told: [Feed.Event]
  /// The lines of the last feed, from the first event on.
  let events: [Feed.Event]
  let stored: [JobStatus]
  /// After which no power was cut.
  let lastBoot: Int
  /// The effect of a cut on a job that had begun.
  let interruption: StopReason.Code
  let workplace: Workplace

  func report(on errands: [PoweredErrand], to violations: inout [Violation]) {
    auditFeed(&violations)
    auditEnds(&violations)
    let byTitle = Dictionary(grouping: stored, by: \.title)
    for errand in errands {
      audit(errand, byTitle[errand.errand.name] ?? []) { kind, sentence, number in
        violations.append(Violation(kind, sentence, errand.errand, number: number))
      }
    }
  }

  /// A number of the feed identifies the same event for ever.
  private func auditFeed(_ violations: inout [Violation]) {
    for (before, after) in zip(told, events)
    where before.kind != after.kind || before.job.number != after.job.number {
      violations.append(
        Violation(
          .gap, "event \(before.sequence) was \(before.summary), and is \(after.summary)",
          number: before.job.number))
      return
    }
    guard events.count < told.count else { return }
    violations.append(
      Violation(.gap, "\(told.count) events had been told, \(events.count) are left"))
  }

  private func auditEnds(_ violations: inout [Violation]) {
    let byNumber = Dictionary(grouping: stored, by: \.number)
    for event in told where event.kind == .ended {
      guard let job = byNumber[event.job.number]?.first else {
        violations.append(
          Violation(.lost, "its end was told and it is gone", number: event.job.number))
        continue
      }
      if job.outcome == event.job.outcome, job.exitCode == event.job.exitCode { continue }
      violations.append(
        Violation(
          .wrong, "it was told as \(event.summary), and is \(job.outcome?.rawValue ?? "live")",
          number: job.number))
    }
  }

  private typealias Add = (Violation.Class, String, JobNumber?) -> Void

  private func audit(_ errand: PoweredErrand, _ rows: [JobStatus], _ add: Add) {
    if rows.count > 1 { add(.twice, "it is in the store \(rows.count) times", rows[0].number) }
    guard let job = rows.first else {
      if let number = errand.acknowledged {
        add(.lost, "it was accepted as \(number) and is not in the store", number)
      }
      return
    }
    if let number = errand.acknowledged, number != job.number {
      add(.wrong, "it was accepted as \(number) and is \(job.number)", job.number)
    }
    guard job.state == .ended, let outcome = job.outcome else {
      return add(.lost, "it has not ended: \(job.state)", job.number)
    }
    let ledger = Ledger(workplace.text(workplace.ledger(of: job.number)))
    let starts = errand.errand.kind == .resumable ? job.attempt : 1
    if ledger.starts > starts {
      add(.twice, "it was started \(ledger.starts) times in \(job.attempt) attempts", job.number)
    }
    if outcome == .interrupted, job.stopReason?.code == interruption {
      if interruption == .reboot, errand.errand.kind == .resumable {
        add(.wrong, "it did not go on", job.number)
      }
      if errand.boot == lastBoot { add(.wrong, "no power cut came upon it", job.number) }
      return
    }
    let expected = Expectation(errand.errand)
    if outcome != expected.outcome || job.exitCode != expected.exitCode {
      add(.wrong, "it should have ended as \(expected.outcome.rawValue)", job.number)
    }
    if errand.errand.kind.endsByItself, !ledger.isClosed {
      add(.wrong, "its worker did not come to its end", job.number)
    }
  }
}
