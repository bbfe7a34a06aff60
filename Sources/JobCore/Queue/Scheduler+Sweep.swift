extension Scheduler {
  /// Answers many submissions in one: a duplicate of them, a refusal of all, or as many new jobs.
  mutating func submit(_ sweep: Sweep, _ tag: RequestTag, at now: Instant) {
    if let duplicate = table.job(withKeyOf: JobTerms(sweep.submission(at: 0))) {
      return outbox.reply(tag, .duplicateMany(first: duplicate, count: sweep.count))
    }
    let members = (0..<sweep.count).map { JobTerms(sweep.submission(at: $0)) }
    if let refusal = refusal(of: sweep, members) {
      return outbox.reply(tag, .refused(refusal))
    }
    let first = nextNumber
    for terms in members {
      accept(terms, replacing: nil, at: now)
      // What has a slot takes it at once, so that those behind it say why they wait.
      if ledger.lanes.slotsFree(of: sweep.stem.options.lane) > 0 { settle(at: now) }
    }
    outbox.reply(tag, .acceptedMany(first: first, count: sweep.count))
  }

  /// Why none of them is accepted; nil when all are.
  private func refusal(of sweep: Sweep, _ members: [JobTerms]) -> Refusal? {
    if let refusal = refusal(ofAny: sweep.stem, count: sweep.count) { return refusal }
    if let refusal = refusalAfter(sweep.stem, replacing: nil) { return refusal }
    for terms in members {
      guard let other = table.job(withIdentifierOf: terms) ?? table.job(withKeyOf: terms) else {
        continue
      }
      return Refusal(
        .alreadyRunning,
        "job \(other) has the identifier \(terms.submission.identifier) and has not ended;"
          + " none of the \(sweep.count) jobs is accepted")
    }
    guard queuedCount + sweep.count > configuration.queueLimit else { return nil }
    return Refusal(
      .unavailable,
      "\(queuedCount) jobs are waiting, and with these \(sweep.count) it would be more than"
        + " \(configuration.queueLimit), which is the limit; none of them is accepted")
  }
}
