internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

// Submitting attempts.
extension SlurmEngine {
  /// Submits the first due attempt, together with those with equal requests.
  func submitNext(at now: UInt64) {
    waiting.removeAll { attempts[$0] == nil }
    guard let submission,
      let first = waiting.first(where: { attempts[$0].map { $0.submitAt <= now } ?? false }),
      let launch = attempts[first]?.launch
    else { return }
    let demand = submission.demand(launch)
    var alike: [EngineAttempt] = []
    for name in waiting where alike.count < arrayMost {
      guard let attempt = attempts[name], let launch = attempt.launch, attempt.submitAt <= now,
        submission.demand(launch) == demand
      else { continue }
      alike.append(name)
    }
    if alike.count < SlurmBatch.fewest { alike = [first] }
    let batch = SlurmBatch(alike)
    let handed = Set(alike)
    waiting.removeAll { handed.contains($0) }
    isSubmitting = true
    flurry.handOver(at: now)
    for name in alike { attempts[name]?.submission = .submitting }
    do throws(SystemError) {
      try submit(batch, launch, submission)
    } catch {
      var answer = SlurmAnswer(code: 1)
      answer.errors = Array("temporarily impossible: \(error)".utf8)
      submitted(batch, answer)
    }
  }

  private func submit(
    _ batch: SlurmBatch, _ launch: EngineLaunch, _ submission: SlurmSubmission
  ) throws(SystemError) {
    let isArray = batch.attempts.count > 1
    let folder = attempts[batch.attempts[0]]?.folder ?? JobFolder(path: store)
    let list = batch.list(store)
    var arguments = submission.arguments(
      launch, name: names.name(ofBatch: batch.name),
      output: isArray ? "\(list).log" : folder.nodeLog)
    if isArray {
      try batch.write(store)
      try File.synchroniseAll(at: store)
      batches[batch.name] = batch.attempts
      arguments.append("--array=0-\(batch.attempts.count - 1)")
    } else {
      try folder.synchronise()
    }
    call(
      arguments,
      input: isArray ? submission.script(list: list) : submission.script(folder)
    ) { [self] in submitted(batch, $0) }
  }

  private func submitted(_ batch: SlurmBatch, _ answer: SlurmAnswer) {
    isSubmitting = false
    let verdict = SlurmVerdict(answer)
    if batch.attempts.count == 1 { return submitted(batch.attempts[0], verdict, in: batch) }
    for (index, name) in batch.attempts.enumerated() {
      switch verdict {
      case .accepted(let id): submitted(name, .accepted(id: "\(id)_\(index)"), in: batch)
      case .refused:
        // A problem of one element must not affect the others.
        arrayMost = 1
        if let attempt = attempts[name] { tryAgain(attempt, in: 0) }
      case .later:
        // A smaller array may fit into a user's limit.
        arrayMost = max(1, batch.attempts.count / 2)
        submitted(name, verdict, in: batch)
      case .unknown: submitted(name, verdict, in: batch)
      }
    }
  }

  private func submitted(_ name: EngineAttempt, _ verdict: SlurmVerdict, in batch: SlurmBatch) {
    guard let attempt = attempts[name] else {
      // It was withdrawn meanwhile; a job that Slurm accepted finds its attempt decided.
      if case .accepted = verdict { discard(name) }
      return
    }
    switch verdict {
    case .accepted(let id):
      attempt.submission = .queued(id: id)
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
    case .refused(let why):
      // Nothing was accepted, or the job finds its attempt revoked.
      _ = try? attempt.revoke()
      over(attempt, .refused(name, message: why))
    }
  }

  func tryAgain(_ attempt: SlurmAttempt, in pause: UInt64) {
    attempt.submission = .toSubmit
    attempt.submitAt = AwakeClock.now() + pause
    waiting.append(attempt.name)
  }

  /// Reports why it waits, once for each reason.
  func tell(_ attempt: SlurmAttempt, _ code: PendingReason.Code, _ why: String) {
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
