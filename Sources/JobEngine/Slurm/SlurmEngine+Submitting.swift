internal import JobCore
internal import JobWire
internal import LinuxSystem

// Handing over.
extension SlurmEngine {
  func submit(_ name: EngineAttempt) {
    guard let attempt = attempts[name], let launch = attempt.launch, let submission else { return }
    isSubmitting = true
    attempt.place = .submitting
    call(
      submission.arguments(launch, name: self.name(of: name), attempt.folder),
      input: submission.script(attempt.folder)
    ) { [unowned self] in submitted(name, $0) }
  }

  private func submitted(_ name: EngineAttempt, _ answer: SlurmAnswer) {
    isSubmitting = false
    let verdict = SlurmVerdict(answer)
    guard let attempt = attempts[name] else {
      // It was withdrawn meanwhile; what comes of it finds its attempt decided.
      if case .accepted(let id) = verdict { call(["scancel", id]) { _ in } }
      return
    }
    switch verdict {
    case .accepted(let id):
      attempt.place = .queued(id: id)
      attempt.submitAt = AwakeClock.now()
      attempt.lookAt = AwakeClock.now() + Self.patience / 4
      report(.accepted(name, id: id))
      pollSoon()
    case .unknown(let why):
      attempt.place = .unknown
      attempt.missing = 0
      tell(attempt, .engine, "its controller did not answer: \(why)")
      pollAt = AwakeClock.now() + Self.patience
    case .later(let why):
      tell(attempt, .engine, why)
      tryAgain(attempt, in: 30 * Self.patience)
    case .refused(let why):
      // Nothing was accepted; what was is nobody's now.
      _ = try? attempt.revoke()
      over(attempt, .refused(name, message: why))
    }
  }

  func tryAgain(_ attempt: SlurmAttempt, in pause: UInt64) {
    attempt.place = .toSubmit
    attempt.submitAt = AwakeClock.now() + pause
    waiting.append(attempt.name)
  }

  /// Why it waits, once for each reason.
  func tell(_ attempt: SlurmAttempt, _ code: PendingReason.Code, _ why: String) {
    guard !attempt.hasStarted, attempt.toldReason != why else { return }
    attempt.toldReason = why
    report(.pending(attempt.name, code, message: why))
  }

  func pollSoon() {
    let soon = AwakeClock.now() + 2 * Self.patience
    pollAt = min(pollAt ?? .max, soon)
  }
}
