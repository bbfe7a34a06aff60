internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

// Submitting attempts.
extension QueueEngine {
  /// Submits the first due attempt, together with those with equal requests.
  func submitNext(at now: UInt64) {
    waiting.removeAll { attempts[$0] == nil }
    guard let first = waiting.first(where: { attempts[$0].map { $0.submitAt <= now } ?? false }),
      let launch = attempts[first]?.launch
    else { return }
    let demand = dialect.demand(launch)
    var alike: [EngineAttempt] = []
    for name in waiting where alike.count < arrayMost {
      guard let attempt = attempts[name], let launch = attempt.launch, attempt.submitAt <= now,
        dialect.demand(launch) == demand
      else { continue }
      alike.append(name)
    }
    if alike.count < QueueBatch.fewest { alike = [first] }
    let batch = QueueBatch(alike)
    let handed = Set(alike)
    waiting.removeAll { handed.contains($0) }
    submitting = batch
    flurry.handOver(at: now)
    for name in alike { attempts[name]?.submission = .submitting }
    do throws(SystemError) {
      try submit(batch, launch)
    } catch {
      var answer = QueueAnswer(code: 1)
      answer.errors = Array("temporarily impossible: \(error)".utf8)
      submitted(batch, answer)
    }
  }

  private func submit(_ batch: QueueBatch, _ launch: EngineLaunch) throws(SystemError) {
    let folder = attempts[batch.attempts[0]]?.folder ?? JobFolder(path: store)
    var task = QueueTask(name: names.name(ofBatch: batch.name), folder: folder)
    if batch.attempts.count > 1 {
      (task.list, task.count) = (batch.list(store), batch.attempts.count)
    }
    let call = try dialect.submission(launch, task)
    if task.list != nil {
      try batch.write(store)
      try File.synchroniseAll(at: store)
      batches[batch.name] = batch.attempts
    } else {
      try folder.synchronise()
    }
    self.call(call) { [self] in submitted(batch, $0) }
  }

  private func submitted(_ batch: QueueBatch, _ answer: QueueAnswer) {
    submitting = nil
    let folder = attempts[batch.attempts[0]]?.folder ?? JobFolder(path: store)
    let meaning = SubmissionAnswer(answer, id: dialect.id(in: answer, folder))
    if batch.attempts.count == 1 { return submitted(batch.attempts[0], meaning, in: batch) }
    for (index, name) in batch.attempts.enumerated() {
      switch meaning {
      case .accepted(let id):
        submitted(name, .accepted(id: dialect.element(index, of: id)), in: batch)
      case .refused:
        // A problem of one element must not affect the others.
        arrayMost = 1
        if let attempt = attempts[name] { tryAgain(attempt, in: 0) }
      case .later:
        // A smaller array may fit into a user's limit.
        arrayMost = max(1, batch.attempts.count / 2)
        submitted(name, meaning, in: batch)
      case .unknown: submitted(name, meaning, in: batch)
      }
    }
  }

  private func submitted(_ name: EngineAttempt, _ meaning: SubmissionAnswer, in batch: QueueBatch) {
    guard let attempt = attempts[name] else {
      // It was withdrawn meanwhile; a job that was accepted finds its attempt decided.
      guard case .accepted(let id) = meaning else { return }
      if !Dialect.showsNames { numbered[id] = names.name(of: name) }
      return discard(name)
    }
    switch meaning {
    case .accepted(let id):
      number(attempt, id)
      attempt.shownName = names.name(ofBatch: batch.name)
      attempt.submitAt = AwakeClock.now()
      attempt.lookAt = AwakeClock.now() + Self.timeout / 4
      report(.accepted(name, id: id))
      pollSoon()
    case .unknown(let why):
      attempt.submission = .unknown
      attempt.missedPolls = 0
      tell(attempt, .engine, "its controller did not answer: \(why)")
      pollAt = AwakeClock.now() + Self.timeout
    case .later(let why):
      tell(attempt, .engine, why)
      tryAgain(attempt, in: 30 * Self.timeout)
    case .refused(let why) where Dialect.isExplicit: refuse(attempt, why)
    case .refused(let why):
      // The sentence may be about a controller that is away.
      attempt.refusal = why
      pollAt = AwakeClock.now()
    }
  }

  private func refuse(_ attempt: QueueAttempt, _ why: String) {
    // Nothing was accepted, or the job finds its attempt revoked.
    _ = try? attempt.revoke()
    over(attempt, .refused(attempt.name, message: why))
  }

  /// A submission failed for its own sake if the queue can be read.
  func settleRefusals(isReachable: Bool) {
    for attempt in Array(attempts.values) {
      guard let why = attempt.refusal else { continue }
      attempt.refusal = nil
      if isReachable { refuse(attempt, why) } else { tryAgain(attempt, in: 10 * Self.timeout) }
    }
  }

  func tryAgain(_ attempt: QueueAttempt, in pause: UInt64) {
    attempt.submission = .toSubmit
    attempt.submitAt = AwakeClock.now() + pause
    waiting.append(attempt.name)
  }

  /// Reports why it waits, once for each reason.
  func tell(_ attempt: QueueAttempt, _ code: PendingReason.Code, _ why: String) {
    guard !attempt.hasStarted, attempt.toldReason != why else { return }
    attempt.toldReason = why
    attempt.toldStart = nil
    report(.pending(attempt.name, code, message: why))
  }

  func pollSoon() {
    let soon = AwakeClock.now() + 2 * Self.timeout
    pollAt = min(pollAt ?? .max, soon)
  }
}
