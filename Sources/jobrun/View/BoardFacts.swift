import JobCore
import JobWire

/// The facts of an opened job in `jobrun watch` that decisions need; `jobrun show` has all.
enum BoardFacts {
  static func all(_ job: JobStatus) -> [JobFacts.Fact] {
    let known: [(String, String?)] = [
      ("asks", job.prompt?.question),
      ("waiting", job.state == .queued ? job.pendingReason?.message : nil),
      ("why", why(job)),
      ("on", JobFacts.place(of: job)),
      ("name there", job.engineJob),
      ("command", job.terms.command.map(ShellText.command)),
      ("folder", job.terms.directory),
      ("group", job.terms.group),
      ("priority", job.shownPriority),
      ("attempt", job.attempt > 1 ? "\(job.attempt)" : nil),
      ("submitted", ShownTime.whole(job.submitted)),
      ("started", job.started.map(ShownTime.whole)),
      ("ended", job.ended.map(ShownTime.whole)),
      ("peak memory", job.use.maxResidentBytes.map(BinarySize.format)),
      ("log", job.log),
    ]
    return known.compactMap { fact in fact.1.map { (fact.0, $0) } }
  }

  private static func why(_ job: JobStatus) -> String? {
    guard job.state == .ended, job.outcome != .succeeded else { return job.warning }
    return Receipt.reason(job) ?? Receipt.status(job)
  }
}
