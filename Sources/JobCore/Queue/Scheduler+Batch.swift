extension Scheduler {
  /// Answers a batch: a duplicate, a refusal of all its jobs, or new jobs.
  mutating func submit(_ batch: Batch, _ tag: RequestTag, at now: Instant) {
    if let duplicate = table.job(withKeyOf: JobTerms(batch.submission(at: 0))) {
      return outbox.reply(tag, .duplicateMany(first: duplicate, count: batch.count))
    }
    let members = (0..<batch.count).map {
      JobTerms(batch.submission(at: $0, first: nextNumber))
    }
    if let refusal = refusal(of: batch, members) {
      return outbox.reply(tag, .refused(refusal))
    }
    let first = nextNumber
    for terms in members {
      accept(terms, replacing: nil, at: now)
      // Jobs with a free slot start at once, so that those behind them report the right reason.
      if lanes.slotsFree(of: terms.submission.options.lane) > 0 { settle(at: now) }
    }
    outbox.reply(tag, .acceptedMany(first: first, count: batch.count))
  }

  /// Why the batch is refused; nil when all its jobs are accepted.
  private func refusal(of batch: Batch, _ members: [JobTerms]) -> Refusal? {
    if let refusal = refusal(ofAny: batch.stem, count: batch.count) { return refusal }
    if let refusal = refusalAfter(batch.stem, replacing: nil) { return refusal }
    if !batch.members.isEmpty {
      for terms in members {
        if let refusal = refusal(ofAny: terms.submission, count: batch.count) { return refusal }
      }
    }
    for terms in members {
      guard let other = table.job(withIdentifierOf: terms) ?? table.job(withKeyOf: terms) else {
        continue
      }
      return Refusal(
        .alreadyRunning,
        "job \(other) has the identifier \(terms.submission.identifier) and has not ended;"
          + " none of the \(batch.count) jobs is accepted")
    }
    guard queuedCount + batch.count > configuration.queueLimit else { return nil }
    return Refusal(
      .unavailable,
      "\(queuedCount) jobs are waiting, and with these \(batch.count) it would be more than"
        + " \(configuration.queueLimit), which is the limit; none of them is accepted")
  }
}
