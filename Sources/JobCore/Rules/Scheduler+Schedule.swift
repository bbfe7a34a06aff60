extension Scheduler {
  /// The time of day at which `Event.timeOfDay` is due; nil = no job waits for one.
  ///
  /// It is a time of the civil clock, which people set: the caller must notice clock changes.
  package var nextTimeOfDay: WallTime? { isShuttingDown ? nil : agenda.wakeUp }

  /// The clock was read: jobs whose time has come are put in line.
  mutating func apply(_ time: WallTime, at now: Instant) {
    timeOfDay = time
    guard !isShuttingDown else { return }
    for number in agenda.removeDue(by: time) {
      guard let index = table.index(of: number) else { continue }
      delayed.remove(number)
      wait(index, announcing: .queued, at: now)
    }
  }

  /// Puts a waiting job in line, on the agenda while its time has not come, or aside while others have
  /// to succeed first.
  mutating func wait(_ index: Int, announcing kind: Announcement.Kind, at now: Instant) {
    if waitForPrerequisites(index) {
      let number = table[index].number
      return outbox.announce(number, kind, .queued(reasonToAwait(number)))
    }
    if restBeforePush(index, announcing: kind, at: now) { return }
    guard schedule(index) else { return enterLine(index, announcing: kind, at: now) }
    let number = table[index].number
    outbox.announce(number, kind, .queued(reasonScheduled(number)))
  }

  /// Puts a job on the agenda unless its time has come and its bundle may have it; whether it did.
  mutating func schedule(_ index: Int) -> Bool {
    let number = table[index].number
    if !putOff.isEmpty { putOff[number] = nil }
    let terms = table[index].terms
    guard table[index].attempt == 1,
      terms.submission.notBefore != nil || terms.isDiscretionary
    else { return false }
    var time = timeToWait(of: terms.submission)
    if let wait = lackOfAllowance(terms.submission), time.map({ $0 < wait.until }) ?? true {
      putOff[number] = wait
      time = wait.until
    }
    guard let earliest = time else { return false }
    table[index].phase = .scheduled
    delayed.insert(number)
    agenda.insert(number, at: earliest, now: timeOfDay)
    deadlines.set(nil, at: index)
    return true
  }

  /// The time that a job has still to wait for; nil when it has come, or when the job has run before.
  func timeToWait(of index: Int) -> WallTime? {
    guard table[index].attempt == 1 else { return nil }
    return timeToWait(of: table[index].submission)
  }

  /// The time that a submission has to wait for; nil when it has come.
  func timeToWait(of submission: Submission) -> WallTime? {
    guard let earliest = submission.notBefore else { return nil }
    return timeOfDay.map { earliest <= $0 } ?? false ? nil : earliest
  }

  /// Takes a job off the agenda; whether it was on it.
  mutating func leaveAgenda(_ index: Int) -> Bool {
    guard case .scheduled = table[index].phase else { return false }
    let number = table[index].number
    if let earliest = putOff.removeValue(forKey: number)?.until ?? table[index].submission.notBefore
    {
      agenda.remove(number, at: earliest)
    }
    delayed.remove(number)
    return true
  }

  /// Why a job is on the agenda.
  func reasonScheduled(_ number: JobNumber) -> PendingReason {
    putOff[number]?.reason ?? Scheduler.scheduledReason
  }

  static let scheduledReason = PendingReason(.notBefore, "its time has not come yet")

  /// Why a bundle may not have one more request of a kind; nil when it may.
  ///
  /// `existing` does not count: the new one takes its place.
  func pendingRefusal(of submission: Submission, replacing existing: JobNumber?) -> Refusal? {
    guard let limit = submission.options.kind.pendingLimit else { return nil }
    let waiting = requests.elements.count { number in
      guard number != existing, let index = table.index(of: number) else { return false }
      return !table[index].isActive
        && table[index].submission.options.kind == submission.options.kind
        && table[index].submission.bundle == submission.bundle
    }
    guard waiting >= limit else { return nil }
    let requests = waiting == 1 ? "request" : "requests"
    let wait = waiting == 1 ? "is" : "are"
    let owner = submission.bundle.map { " of \($0)" } ?? ""
    return Refusal(
      .tooManyPendingTaskRequests,
      "\(waiting) \(submission.options.kind) \(requests)\(owner) \(wait) already waiting, and \(limit) is the limit;"
        + " cancel one (jobrun pending shows them) or submit later")
  }

  /// Starts a job that waits for a time or a condition, as if both were met.
  ///
  /// It takes a slot even if none is free: a developer who tests a task wants to see it run, not wait.
  mutating func launchEarly(_ index: Int, _ tag: RequestTag, at now: Instant) {
    let number = table[index].number
    if let why = reasonAgainstLaunching(index) {
      return outbox.reply(tag, .refused(Refusal(.unavailable, why)))
    }
    table[index].isSimulated = true
    table[index].ignoresConditions = launch(index, at: now)
    if !table[index].ignoresConditions { table[index].isSimulated = false }
    conditioned.remove(number)
    outbox.reply(tag, .done(number))
  }

  /// A simulation makes up no GPU and no memory, only the hour and the weather.
  private func reasonAgainstLaunching(_ index: Int) -> String? {
    let number = table[index].number
    var demand = table[index].submission.options.demandHere
    demand.network = false
    demand.power = false
    if isShuttingDown { return "the runner is stopping; try again once it has stopped" }
    if isPaused { return Scheduler.pausedSentence }
    if table[index].isActive {
      return "job \(number) is already running; only a waiting job can be launched"
    }
    guard table[index].submission.isScheduled else {
      return "only scheduled tasks can be launched early; job \(number) was submitted by a person"
    }
    if table[index].submission.isHeld {
      return "job \(number) is held; release it first: jobrun release \(number)"
    }
    if case .after(let predecessor) = table[index].phase {
      return "job \(number) waits for job \(predecessor), which has not ended"
    }
    if let bar = lastingBar(on: table[index].terms.sort) { return bar.sentence }
    if prerequisites.waits(number) { return "job \(number) \(reasonToAwait(number).message)" }
    if let machines = pool(ofJobAt: index) {
      return choiceNow(index, at: latest) == nil ? reasonAgainst(index, on: machines) : nil
    }
    if let need = ledger.shortage(of: demand) { return sentence(for: need) }
    let lack =
      ledger.ownLack(of: demand) ?? ledger.measuredLack(of: demand, at: latest, agesMatter: false)
    return lack.map { sentence(for: $0, demand) }
  }
}

extension Submission {
  /// Whether the runner picks its start time; it then keeps waiting across a stop of the runner, which ends
  /// jobs that would start at once.
  var isScheduled: Bool { options.kind.isScheduled || notBefore != nil }
}
