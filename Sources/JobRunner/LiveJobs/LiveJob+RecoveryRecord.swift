package import JobCore
import JobPage
package import JobRuntime
package import JobStore
package import JobWire

extension LiveJob {
  /// The submission as its request, with the words that are shown.
  var request: SubmitRequest {
    var request = SubmitRequest(
      key: submission.key, identifier: submission.identifier.text, title: title,
      speaksPage: submission.options.speaksPage)
    request.definition = definition
    request.subtitle = subtitle
    request.options = submission.options
    request.bundle = submission.bundle?.text
    // Its bundle lists it, or it would not have been accepted.
    request.isListed = submission.bundle.map { !submission.identifier.isUnder($0) } ?? false
    request.notBefore = submission.notBefore
    request.isHeld = submission.isHeld
    request.after = submission.after.needingSuccess
    request.afterAny = submission.after.needingAnyEnd
    request.details = details
    return request
  }

  /// What the launch order keeps of the job that is launched at `now`.
  package func recovery(launched: WallTime, at now: Instant, boot: String) -> RecoveryRecord {
    var recovery = RecoveryRecord(
      request: request, submitted: submittedAt, launched: launched, launchedAt: now, boot: boot)
    recovery.gpus = gpus
    recovery.failures = past.failures
    recovery.spent = past.spent
    recovery.paused = past.paused
    return recovery
  }
}

extension StoredJob {
  /// The row of a job that runs and that the store has lost.
  package init(_ number: JobNumber, attempt: Int, _ recovery: RecoveryRecord) throws(WireError) {
    self.init(
      number: number, submission: try recovery.request.submission(), title: recovery.request.title,
      submittedMilliseconds: recovery.submitted.milliseconds)
    definition = recovery.request.definition
    asked = recovery.request.details
    subtitle = recovery.request.subtitle
    phase = .running
    self.attempt = attempt
    gpus = recovery.gpus
    startedMilliseconds = recovery.launched.milliseconds
    failures = recovery.failures
    spent = recovery.spent
    paused = recovery.paused
    pausedFor = recovery.paused
    runningSince = recovery.launchedAt
  }

  /// Takes over that the worker was told to stop, which its page still says.
  mutating func apply(_ stop: PageStop?) {
    let codes = StopReason.Code.allCases
    guard let stop, let code = codes.first(where: { $0.pageValue == stop.reason }) else { return }
    phase = .stopping
    stopReason = StopReason(code, "it was told to stop, and the store does not know why")
    stopDeadline = Instant(nanoseconds: stop.deadline)
  }
}
