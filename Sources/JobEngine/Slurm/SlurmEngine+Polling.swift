internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

// Polling the queue: all of the user's jobs in one call.
extension SlurmEngine {
  func poll() {
    isPolling = true
    pollAt = nil
    let ended = asksForEnded ? ["-t", "all"] : []
    asksForEnded = false
    call(["squeue", "--me", "-h", "-o", SqueueRow.format] + ended) { [self] answer in
      isPolling = false
      failedLooks = take(answer, showsEnded: !ended.isEmpty) ? 0 : failedLooks + 1
      planPoll(after: answer.took)
    }
  }

  /// Evaluates an answer; returns whether it shows the queue.
  private func take(_ answer: SlurmAnswer, showsEnded: Bool) -> Bool {
    guard answer.code == 0, let rows = SqueueRow.all(in: answer.output) else {
      asksForEnded = asksForEnded || showsEnded
      let why = answer.code == 0 ? "its answer is malformed" : answer.complaint
      if trouble != why { report(.note("the queue cannot be read: \(why)")) }
      let isFirst = trouble == nil
      trouble = why
      // A single failure is not worth a report to thousands of waiting jobs.
      if isFirst { return false }
      for attempt in attempts.values {
        tell(attempt, .engine, "its controller does not answer: \(why)")
      }
      return false
    }
    trouble = nil
    var byName: [String: SqueueRow] = [:]
    // Of several jobs with one name the live one counts.
    for row in rows.lazy.flatMap({ self.elements(of: $0) }) {
      if let other = byName[row.name], other.isPending || other.isRunning { continue }
      byName[row.name] = row
    }
    endStrays(byName)
    forgetBatches(but: rows)
    for attempt in Array(attempts.values) {
      switch attempt.submission {
      case .toSubmit, .submitting: continue
      case .unknown, .queued: break
      }
      if let row = byName[names.name(of: attempt.name)] {
        see(attempt, row)
      } else {
        miss(attempt, showsEnded: showsEnded)
      }
    }
    return true
  }

  /// Removes the lists of arrays that are over.
  private func forgetBatches(but rows: [SqueueRow]) {
    let shown = Set(rows.lazy.filter { !$0.isOver }.map { $0.name })
    for (name, members) in batches
    where !shown.contains(names.name(ofBatch: name))
      && !members.contains(where: { attempts[$0] != nil })
    {
      SlurmBatch.remove(name, store)
      batches[name] = nil
    }
  }

  /// One row per attempt: waiting elements of an array share one.
  private func elements(of row: SqueueRow) -> [SqueueRow] {
    let batch: String
    switch names.subject(of: row.name) {
    case nil: return []
    case .attempt: return [row]
    case .batch(let name): batch = name
    }
    let members = batches[batch] ?? SlurmBatch.attempts(of: batch, store)
    if members.isEmpty {
      // Without its list an array is a stray, unless it may hold a submission of an earlier helper.
      return attempts.values.contains { $0.submission == .unknown } ? [] : [row]
    }
    batches[batch] = members
    let (job, indices) = SlurmBatch.elements(of: row.id, most: members.count)
    return indices.map { index in
      var row = row
      row.id = "\(job)_\(index)"
      row.name = names.name(of: members[index])
      return row
    }
  }

  /// The queue shows the attempt.
  private func see(_ attempt: SlurmAttempt, _ row: SqueueRow) {
    if attempt.id == nil || attempt.id != row.id && !row.isOver {
      attempt.submission = .queued(id: row.id)
      report(.accepted(attempt.name, id: row.id))
    }
    attempt.shownName = row.shownName
    attempt.hadNode = attempt.hadNode || row.hasNode
    attempt.partition = row.partition
    attempt.missedPolls = 0
    if row.isEnding {
      asksForEnded = true
      return
    }
    if row.isOver {
      return leave(attempt, row)
    }
    attempt.gone = nil
    if row.isPending { return wait(attempt, row) }
    attempt.impossiblePolls = 0
    tellEnd(attempt, row)
    if attempt.hasStarted { return }
    let now = AwakeClock.now()
    attempt.lookAt = min(attempt.lookAt, now)
    let since = attempt.runningSince ?? now
    attempt.runningSince = since
    if now - since > Self.unclaimedTimeout, File.exists(attempt.folder.order),
      (try? attempt.revoke()) == true
    {
      report(.note("job \(attempt.name.job) was shown as running for long and never began"))
      withdraw(attempt)
      over(attempt, .revoked(attempt.name))
    }
  }

  /// Tells the supervisor when Slurm ends it, which a person may change.
  private func tellEnd(_ attempt: SlurmAttempt, _ row: SqueueRow) {
    guard row.isRunning else { return }
    attempt.isEndKnown = true
    let end = row.end.map { UInt64($0) * 1_000 } ?? 0
    if attempt.control.endsAtMilliseconds == end { return }
    attempt.control.endsAtMilliseconds = end
    renew(attempt, "when Slurm ends it")
    if attempt.hasStarted { ring(attempt) }
  }

  private func wait(_ attempt: SlurmAttempt, _ row: SqueueRow) {
    attempt.runningSince = nil
    let reason = SlurmReason(row.reason)
    switch reason.kind {
    case .waits(let code):
      attempt.impossiblePolls = 0
      tell(attempt, code, reason.sentence, startsAt: row.start)
    case .never:
      // Decided by a second poll only, as a job that was just changed may show an outdated reason.
      attempt.impossiblePolls += 1
      guard attempt.impossiblePolls > 1, (try? attempt.revoke()) == true else { return pollSoon() }
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
    // Slurm counts a job without a limit as one of a year: a start behind it is unknown.
    if left > Self.longestExpected { return tell(attempt, code, why) }
    // Slurm's estimate changes with each of its rounds; changes of less than a tenth are not reported.
    if let (told, reason) = attempt.toldStart, reason == why,
      abs(start - told) < max(60, left / 10)
    {
      return
    }
    let time = WallTime(milliseconds: start * 1_000).text
    tell(attempt, code, "\(why); it is expected to start at \(time)")
    attempt.toldStart = (start, why)
  }

  /// The queue does not show the attempt; a single poll may be wrong.
  private func miss(_ attempt: SlurmAttempt, showsEnded: Bool) {
    attempt.missedPolls += 1
    asksForEnded = true
    guard attempt.missedPolls > 1, showsEnded else { return pollSoon() }
    if attempt.id == nil, attempt.launch != nil, attempt.gone == nil {
      // sbatch's answer was lost; with the same name it cannot start twice.
      return tryAgain(attempt, in: 0)
    }
    // An empty queue may be wrong, too: a waiting attempt is submitted again only when its number is gone.
    guard attempt.id == nil || attempt.hasBegun || attempt.gone != nil else {
      if !unresolved.contains(attempt.name) { unresolved.append(attempt.name) }
      return
    }
    leave(attempt, nil)
  }

  /// Asks Slurm for one attempt that the queue did not show.
  func askOfNext() {
    let name = unresolved.removeFirst()
    guard let attempt = attempts[name], let id = attempt.id, attempt.missedPolls > 1 else { return }
    isAskingOfOne = true
    call(["scontrol", "--oneliner", "show", "job", id]) { [self] answer in
      isAskingOfOne = false
      guard let attempt = attempts[name], attempt.id == id, attempt.missedPolls > 1 else { return }
      switch SlurmWhereabouts(answer, name: attempt.shownName) {
      case .unknown: pollSoon()
      case .nowhere: leave(attempt, nil)
      case .over(let state, let hadNode):
        attempt.hadNode = attempt.hadNode || hadNode
        var row = SqueueRow(id: id, name: names.name(of: name), state: state)
        row.node = attempt.hadNode ? "some" : ""
        leave(attempt, row)
      case .there:
        report(.note("squeue does not show job \(name.job), which Slurm has as \(id)"))
        attempt.missedPolls = 0
      }
    }
  }

  private func leave(_ attempt: SlurmAttempt, _ row: SqueueRow?) {
    if attempt.gone == nil {
      let hadNode = row?.hasNode ?? attempt.hadNode
      attempt.gone = (AwakeClock.now(), row?.cause, row?.state ?? "", hadNode)
    }
    conclude(attempt)
  }

  private static var namedAtOnce: Int { 20 }

  /// Ends jobs with names of this engine and without a live attempt, which were submitted late or by a
  /// runner that is gone; and those of attempts that are to end and whose supervisor cannot be told.
  private func endStrays(_ rows: [String: SqueueRow]) {
    let live = Set(attempts.keys.map { names.name(of: $0) })
    var seen: Set<String> = []
    var ended: [SqueueRow] = []
    for (name, row) in rows where row.isPending || row.isRunning {
      if !live.contains(name) { seen.insert(name) }
      if seen.contains(name) && strays.contains(name) || unwanted.contains(name) {
        ended.append(row)
      }
    }
    // A number may have been reused since that poll. With names each job takes a call of its own, and each
    // element of an array a request.
    for row in ended {
      let isElement = row.id.utf8.contains(UInt8(ascii: "_"))
      let isNamed = ended.count <= Self.namedAtOnce && !isElement
      cancelled.insert(row.id, named: isNamed ? row.shownName : "")
    }
    strays = seen
    unwanted = []
  }

  /// Soon while a client watches waiting attempts, seldom while all run: their mirrors show the rest.
  private func planPoll(after took: UInt64) {
    var pace = SlurmPollPace()
    for attempt in attempts.values { pace.note(urgency(of: attempt)) }
    if !strays.isEmpty { pace.note(.stray) }
    if !unwanted.isEmpty { pace.note(.unwanted) }
    guard let pause = pace.pause(after: took, failures: failedLooks) else { return }
    pollAt = min(pollAt ?? .max, AwakeClock.now() + pause)
  }

  private func urgency(of attempt: SlurmAttempt) -> SlurmPollPace.Urgency? {
    switch attempt.submission {
    case .toSubmit, .submitting: nil
    case .unknown: .unsure
    case .queued:
      if attempt.gone != nil || attempt.missedPolls > 0 || attempt.impossiblePolls > 0 {
        .unsure
      } else if attempt.hasStarted, attempt.isEndKnown {
        .running
      } else {
        AwakeClock.now() < attempt.fastUntil ? .watched : .waiting
      }
    }
  }
}
