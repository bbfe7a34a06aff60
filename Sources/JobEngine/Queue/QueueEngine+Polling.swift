internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

// Polling the queue: all of the user's jobs in one call.
extension QueueEngine {
  func poll() {
    isPolling = true
    pollAt = nil
    let showsEnded = asksForEnded
    asksForEnded = false
    let before = Before(finished: finishedBatches, unwanted: unwanted)
    call(dialect.list(withEnded: showsEnded)) { [self] answer in
      isPolling = false
      failedLooks = take(answer, showsEnded: showsEnded, before) ? 0 : failedLooks + 1
      planPoll(after: answer.took)
    }
  }

  /// What was decided when the queue was asked: of later decisions the answer may not show the jobs.
  private struct Before {
    /// Batches without a live attempt.
    let finished: Set<String>
    let unwanted: Set<String>
  }

  /// Evaluates an answer; returns whether it shows the queue.
  private func take(_ answer: QueueAnswer, showsEnded: Bool, _ before: Before) -> Bool {
    guard answer.code == 0, let rows = dialect.rows(in: answer.output).map(named) else {
      asksForEnded = asksForEnded || showsEnded
      failedAt = AwakeClock.now()
      let why = answer.code == 0 ? "its answer is malformed" : answer.complaint
      if trouble != why { report(.note("the queue cannot be read: \(why)")) }
      let isFirst = trouble == nil
      trouble = why
      settleRefusals(isReachable: false)
      // A single failure is not worth a report to thousands of waiting jobs.
      if isFirst { return false }
      for attempt in attempts.values {
        tell(attempt, .engine, "its controller does not answer: \(why)")
      }
      return false
    }
    trouble = nil
    settleRefusals(isReachable: true)
    var byName: [String: QueueRow] = [:]
    // Of several jobs with one name the live one counts.
    for row in rows.lazy.flatMap({ self.elements(of: $0) }) {
      if let other = byName[row.name], other.isPending || other.isRunning { continue }
      byName[row.name] = row
    }
    endStrays(byName)
    unwanted.subtract(before.unwanted)
    forget(before.finished, but: rows)
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

  /// The rows of this engine's jobs; those without a name have their numbers.
  private func named(_ rows: [QueueRow]) -> [QueueRow] {
    if Dialect.showsNames { return rows }
    let shown = Set(rows.lazy.map { $0.id })
    let live = Set(attempts.values.lazy.compactMap { $0.id })
    numbered = numbered.filter { shown.contains($0.key) || live.contains($0.key) }
    return rows.compactMap { row in
      guard let name = numbered[row.id] else { return nil }
      var row = row
      (row.name, row.shownName) = (name, name)
      return row
    }
  }

  /// The queue has the attempt, under this number.
  func number(_ attempt: QueueAttempt, _ id: String) {
    attempt.submission = .queued(id: id)
    if !Dialect.showsNames { numbered[id] = names.name(of: attempt.name) }
  }

  /// Arrays that the queue has accepted, and of which no attempt is live.
  private var finishedBatches: Set<String> {
    Set(
      batches.lazy.filter { name, members in
        name != self.submitting?.name && !members.contains { self.attempts[$0] != nil }
      }.map { $0.key })
  }

  /// Removes the lists of arrays that are over.
  private func forget(_ finished: Set<String>, but rows: [QueueRow]) {
    let shown = Set(rows.lazy.filter { !$0.isOver }.map { $0.name })
    for name in finished where !shown.contains(names.name(ofBatch: name)) {
      QueueBatch.remove(name, store)
      batches[name] = nil
    }
  }

  /// One row per attempt: waiting elements of an array share one.
  private func elements(of row: QueueRow) -> [QueueRow] {
    let batch: String
    switch names.subject(of: row.name) {
    case nil: return []
    case .attempt: return [row]
    case .batch(let name): batch = name
    }
    let members = batches[batch] ?? QueueBatch.attempts(of: batch, store)
    if members.isEmpty {
      // Without its list an array is a stray, unless it may hold a submission of an earlier helper.
      return attempts.values.contains { $0.submission == .unknown } ? [] : [row]
    }
    batches[batch] = members
    return dialect.elements(of: row.id, most: members.count).map { index, id in
      var row = row
      row.id = id
      row.name = names.name(of: members[index])
      return row
    }
  }

  /// The queue shows the attempt.
  private func see(_ attempt: QueueAttempt, _ row: QueueRow) {
    attempt.wasShown = true
    if attempt.id == nil || attempt.id != row.id && !row.isOver {
      number(attempt, row.id)
      report(.accepted(attempt.name, id: row.id))
    }
    attempt.shownName = row.shownName
    attempt.hadNode = attempt.hadNode || row.hasNode
    attempt.partition = row.partition
    attempt.missedPolls = 0
    attempt.isUnknownThere = false
    switch row.phase {
    case .ending:
      asksForEnded = true
      return
    case .over: return leave(attempt, row)
    case .unknown: return tellUnknown(attempt, row)
    case .pending, .running: break
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
    if now - since > Self.slowStart {
      tell(attempt, .engine, "it has a node there (\(row.state)) and has not begun yet")
    }
    if now - since > Self.unclaimedTimeout, File.exists(attempt.folder.order),
      (try? attempt.revoke()) == true
    {
      report(.note("job \(attempt.name.job) was shown as running for long and never began"))
      withdraw(attempt)
      over(attempt, .revoked(attempt.name))
    }
  }

  /// How long a start may take before it is explained, in nanoseconds.
  private static var slowStart: UInt64 { 30_000 * millisecond }

  /// The attempt stays as it was.
  private func tellUnknown(_ attempt: QueueAttempt, _ row: QueueRow) {
    attempt.gone = nil
    let sentence = "its state there is \(row.state), which the engine's settings do not explain"
    tell(attempt, .engine, sentence)
    guard unknownStates.insert(row.state).inserted else { return }
    report(.note("job \(attempt.name.job) stays as it was: \(sentence)"))
  }

  /// Tells the supervisor when the system ends it, which a person may change.
  private func tellEnd(_ attempt: QueueAttempt, _ row: QueueRow) {
    guard row.isRunning else { return }
    attempt.isEndKnown = true
    let end = row.end.map { UInt64($0) * 1_000 } ?? 0
    if attempt.control.endsAtMilliseconds == end { return }
    attempt.control.endsAtMilliseconds = end
    renew(attempt, "when \(dialect.name) ends it")
    if attempt.hasStarted { ring(attempt) }
  }

  private func wait(_ attempt: QueueAttempt, _ row: QueueRow) {
    attempt.runningSince = nil
    let reason = row.reason ?? QueueReason(.waits(.engine), "")
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
    _ attempt: QueueAttempt, _ code: PendingReason.Code, _ why: String, startsAt start: Int64?
  ) {
    guard let start, start > 0 else { return tell(attempt, code, why) }
    let left = abs(start - WallClock.now() / 1_000)
    // A job without a limit counts as one of a year: a start behind it is unknown.
    if left > Self.longestExpected { return tell(attempt, code, why) }
    // The estimate changes with each round of the scheduler; changes of less than a tenth are not reported.
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
  private func miss(_ attempt: QueueAttempt, showsEnded: Bool) {
    attempt.missedPolls += 1
    asksForEnded = true
    // A submission that was under way when its helper ended may have been answered by now.
    if attempt.id == nil, let id = dialect.id(of: attempt.folder) {
      number(attempt, id)
      return pollSoon()
    }
    guard attempt.missedPolls > 1, showsEnded else { return pollSoon() }
    if attempt.id == nil, attempt.launch != nil, attempt.gone == nil {
      // The answer was lost; the attempt cannot start twice.
      return tryAgain(attempt, in: 0)
    }
    // An empty queue may be wrong, too: a waiting attempt is submitted again only when its number is gone.
    guard let id = attempt.id, !attempt.hasBegun, attempt.gone == nil else {
      return leave(attempt, nil)
    }
    if dialect.question(of: id) != nil {
      if !unresolved.contains(attempt.name) { unresolved.append(attempt.name) }
    } else if AwakeClock.now() > attempt.submitAt + Self.unseenTimeout {
      leave(attempt, nil)
    } else {
      pollSoon()
    }
  }

  /// How long after its submission a queue may not show a job yet.
  private static var unseenTimeout: UInt64 { 10 * timeout }

  /// Asks for one attempt that the queue did not show.
  func askOfNext() {
    let name = unresolved.removeFirst()
    guard let attempt = attempts[name], let id = attempt.id, attempt.missedPolls > 1,
      let question = dialect.question(of: id)
    else { return }
    isAskingOfOne = true
    call(question) { [self] answer in
      isAskingOfOne = false
      guard let attempt = attempts[name], attempt.id == id, attempt.missedPolls > 1 else { return }
      switch dialect.whereabouts(answer, name: attempt.shownName) {
      case .unknown: pollSoon()
      case .nowhere:
        attempt.isUnknownThere = true
        leave(attempt, nil)
      case .over(var row):
        attempt.hadNode = attempt.hadNode || row.hasNode
        row.hasNode = attempt.hadNode
        leave(attempt, row)
      case .there where isUnlisted(attempt):
        withdraw(attempt)
        over(attempt, .refused(name, message: unlisted(id)))
      case .there:
        report(.note("the list does not show job \(name.job), which \(dialect.name) has as \(id)"))
        attempt.missedPolls = 0
      }
    }
  }

  /// Whether the list has had the time to show the attempt, and never did; it never begins then.
  private func isUnlisted(_ attempt: QueueAttempt) -> Bool {
    !Dialect.isExplicit && !attempt.wasShown
      && AwakeClock.now() > attempt.submitAt + Self.unseenTimeout
      && (try? attempt.revoke()) == true
  }

  private func leave(_ attempt: QueueAttempt, _ row: QueueRow?) {
    if attempt.gone == nil {
      attempt.gone = (AwakeClock.now(), row, row?.hasNode ?? attempt.hadNode)
    }
    conclude(attempt)
  }

  private static var namedAtOnce: Int { 20 }

  /// Ends jobs with names of this engine and without a live attempt, which were submitted late or by a
  /// runner that is gone; and those of attempts that are to end and whose supervisor cannot be told.
  private func endStrays(_ rows: [String: QueueRow]) {
    let live = Set(attempts.keys.map { names.name(of: $0) })
    var seen: Set<String> = []
    var ended: [QueueRow] = []
    for (name, row) in rows where row.isPending || row.isRunning {
      if !live.contains(name) { seen.insert(name) }
      if seen.contains(name) && strays.contains(name) || unwanted.contains(name) {
        ended.append(row)
      }
    }
    // A number may have been reused since that poll. With names each job takes a call of its own, and each
    // element of an array a request.
    for row in ended {
      let isElement = row.name != row.shownName
      let isNamed = Dialect.showsNames && ended.count <= Self.namedAtOnce && !isElement
      cancelled.insert(row.id, named: isNamed ? row.shownName : "")
    }
    strays = seen
  }

  /// Soon while a client watches waiting attempts, seldom while all run: their mirrors show the rest.
  private func planPoll(after took: UInt64) {
    var pace = QueuePollPace()
    for attempt in attempts.values { pace.note(urgency(of: attempt)) }
    if !strays.isEmpty { pace.note(.stray) }
    if !unwanted.isEmpty { pace.note(.unwanted) }
    guard let pause = pace.pause(after: took, failures: failedLooks) else { return }
    pollAt = min(pollAt ?? .max, AwakeClock.now() + pause)
  }

  private func urgency(of attempt: QueueAttempt) -> QueuePollPace.Urgency? {
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
