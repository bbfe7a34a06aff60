internal import JobCore
internal import JobWire
internal import LinuxSystem

// Looking at the queue: all of the user's jobs in one call.
extension SlurmEngine {
  func poll() {
    isPolling = true
    pollAt = nil
    let ended = asksForEnded ? ["-t", "all"] : []
    asksForEnded = false
    call(["squeue", "--me", "-h", "-o", SqueueRow.format] + ended) { [self] answer in
      isPolling = false
      take(answer, showsEnded: !ended.isEmpty)
      planPoll(after: answer.took)
    }
  }

  private func take(_ answer: SlurmAnswer, showsEnded: Bool) {
    guard answer.code == 0, let rows = SqueueRow.all(in: answer.output) else {
      asksForEnded = asksForEnded || showsEnded
      let why = answer.code == 0 ? "it answers nonsense" : answer.complaint
      if trouble != why { report(.note("the queue cannot be looked at: \(why)")) }
      let isFirst = trouble == nil
      trouble = why
      // Once is nothing that thousands of waiting jobs would have to hear.
      if isFirst { return }
      for attempt in attempts.values {
        tell(attempt, .engine, "its controller does not answer: \(why)")
      }
      return
    }
    trouble = nil
    var byName: [String: SqueueRow] = [:]
    // Of several with one name the one that lives counts.
    for row in rows.lazy.flatMap({ self.elements(of: $0) }) {
      if let other = byName[row.name], other.isPending || other.isRunning { continue }
      byName[row.name] = row
    }
    endStrays(byName)
    forgetBatches(but: rows)
    for attempt in Array(attempts.values) {
      switch attempt.place {
      case .toSubmit, .submitting: continue
      case .unknown, .queued: break
      }
      if let row = byName[name(of: attempt.name)] {
        see(attempt, row)
      } else {
        miss(attempt, showsEnded: showsEnded)
      }
    }
  }

  /// Of an array that is over nobody needs the list.
  private func forgetBatches(but rows: [SqueueRow]) {
    let shown = Set(rows.lazy.filter { !$0.isOver }.map { $0.name })
    for (name, members) in batches
    where !shown.contains(namePrefix + name) && !members.contains(where: { attempts[$0] != nil }) {
      SlurmBatch.remove(name, store)
      batches[name] = nil
    }
  }

  /// A row for each attempt that it is about: elements of an array that wait share one.
  private func elements(of row: SqueueRow) -> [SqueueRow] {
    guard row.name.utf8.starts(with: namePrefix.utf8) else { return [] }
    let name = String(row.name.dropFirst(namePrefix.count))
    guard name.utf8.first == UInt8(ascii: "b") else { return [row] }
    let attempts = batches[name] ?? SlurmBatch.attempts(of: name, store)
    // One of ours of which nobody knows whose it is: a stray.
    if attempts.isEmpty { return [row] }
    batches[name] = attempts
    let (job, indices) = SlurmBatch.elements(of: row.id, most: attempts.count)
    return indices.map { index in
      var row = row
      row.id = "\(job)_\(index)"
      row.name = self.name(of: attempts[index])
      return row
    }
  }

  /// The queue shows it.
  private func see(_ attempt: SlurmAttempt, _ row: SqueueRow) {
    if attempt.id == nil || attempt.id != row.id && !row.isOver {
      attempt.place = .queued(id: row.id)
      report(.accepted(attempt.name, id: row.id))
    }
    attempt.shownName = row.shownName
    attempt.missing = 0
    if row.isEnding {
      asksForEnded = true
      return
    }
    if row.isOver {
      return leave(attempt, row)
    }
    attempt.gone = nil
    if row.isPending { return wait(attempt, row) }
    attempt.hopeless = 0
    if attempt.hasStarted { return }
    let now = AwakeClock.now()
    attempt.lookAt = min(attempt.lookAt, now)
    let since = attempt.runningSince ?? now
    attempt.runningSince = since
    if now - since > Self.ghostAge, (try? attempt.revoke()) == true {
      report(.note("job \(attempt.name.job) was called running for long and never began"))
      withdraw(attempt)
      over(attempt, .revoked(attempt.name))
    }
  }

  private func wait(_ attempt: SlurmAttempt, _ row: SqueueRow) {
    attempt.runningSince = nil
    let reason = SlurmReason(row.reason)
    switch reason.kind {
    case .waits(let code):
      attempt.hopeless = 0
      tell(attempt, code, reason.sentence, startsAt: row.start)
    case .never:
      // What was only just changed is looked at twice.
      attempt.hopeless += 1
      guard attempt.hopeless > 1, (try? attempt.revoke()) == true else { return pollSoon() }
      withdraw(attempt)
      over(attempt, .refused(attempt.name, message: reason.sentence))
    }
  }

  /// 300 days, in seconds.
  private static var longestExpected: Int64 { 300 * 86_400 }

  private func tell(
    _ attempt: SlurmAttempt, _ code: PendingReason.Code, _ why: String, startsAt start: Int64?
  ) {
    guard let start, start > 0 else { return tell(attempt, code, why) }
    let left = abs(start - WallClock.now() / 1_000)
    // A job without a limit counts as one of a year: behind such a one nothing is known.
    if left > Self.longestExpected { return tell(attempt, code, why) }
    // What Slurm expects moves with each of its rounds: by less than a tenth it is the same to people.
    if let (told, reason) = attempt.toldStart, reason == why,
      abs(start - told) < max(60, left / 10)
    {
      return
    }
    let time = WallTime(milliseconds: start * 1_000).text
    tell(attempt, code, "\(why); it is expected to start at \(time)")
    attempt.toldStart = (start, why)
  }

  /// The queue does not show it; what it shows once may be a lie.
  private func miss(_ attempt: SlurmAttempt, showsEnded: Bool) {
    attempt.missing += 1
    asksForEnded = true
    guard attempt.missing > 1, showsEnded else { return pollSoon() }
    if attempt.id == nil, attempt.launch != nil, attempt.gone == nil {
      // sbatch was not heard; under its name it cannot begin twice.
      return tryAgain(attempt, in: 0)
    }
    leave(attempt, nil)
  }

  private func leave(_ attempt: SlurmAttempt, _ row: SqueueRow?) {
    if attempt.gone == nil {
      attempt.gone = (AwakeClock.now(), row?.cause, row?.state ?? "", row?.hasNode ?? false)
    }
    conclude(attempt)
  }

  private static var namedAtOnce: Int { 20 }

  /// What has our names and no live attempt was handed over late, or by a runner that is gone.
  private func endStrays(_ rows: [String: SqueueRow]) {
    let live = Set(attempts.keys.map { name(of: $0) })
    var seen: Set<String> = []
    var ended: [SqueueRow] = []
    for (name, row) in rows where !live.contains(name) && (row.isPending || row.isRunning) {
      seen.insert(name)
      if strays.contains(name) || unwanted.contains(name) { ended.append(row) }
    }
    // Since that look a number may have become another job's. With its name each job is a call of its own, and
    // each element of an array a request.
    for row in ended {
      let isElement = row.id.utf8.contains(UInt8(ascii: "_"))
      let isNamed = ended.count <= Self.namedAtOnce && !isElement
      cancelled.insert(row.id, named: isNamed ? row.shownName : "")
    }
    strays = seen
    unwanted = []
  }

  /// Soon while somebody watches what waits, seldom while all run: their mirrors tell the rest.
  private func planPoll(after took: UInt64) {
    let now = AwakeClock.now()
    var pause: UInt64?
    for attempt in attempts.values {
      let own: UInt64 =
        switch attempt.place {
        case .toSubmit, .submitting: .max
        case .unknown: 2
        case .queued:
          if attempt.gone != nil || attempt.missing > 0 || attempt.hopeless > 0 {
            2
          } else if attempt.hasStarted {
            30
          } else {
            now < attempt.fastUntil ? 2 : 10
          }
        }
      if own < .max { pause = min(pause ?? .max, own) }
    }
    if !strays.isEmpty { pause = min(pause ?? .max, 5) }
    if !unwanted.isEmpty { pause = 1 }
    guard let pause else { return }
    let next = now + max(pause * Self.patience, 20 * took)
    pollAt = min(pollAt ?? .max, next)
  }
}
