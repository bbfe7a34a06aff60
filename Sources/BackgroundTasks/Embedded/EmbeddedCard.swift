internal import JobCore
internal import JobPage
internal import JobWire

/// What the embedded scheduler keeps of one task beside what its core knows.
struct EmbeddedCard: Sendable {
  let request: RequestedTask
  let number: JobNumber
  let submitted: WallTime
  var state: JobState
  var started: WallTime?
  var ended: WallTime?
  /// The last look at its page; nil before its first attempt.
  var page: PageSnapshot?
  var attempt = 1
  /// Why it could not be started.
  var obstacle: String?

  init(_ request: RequestedTask, _ number: JobNumber, state: JobState, at wall: WallTime) {
    self.request = request
    self.number = number
    self.state = state
    submitted = wall
  }

  /// The task as everybody sees it; `core` is what the core says of it while it lives.
  func record(_ core: JobCore.Snapshot?) -> BGTaskRecord {
    var title = ""
    var subtitle = ""
    if case .continued(let values) = request.kind {
      title = values.title
      subtitle = values.subtitle
    }
    var job = JobObject(
      number: number, identifier: request.identifier, title: page?.title ?? title,
      submitted: submitted, log: "", stateDirectory: "")
    job.subtitle = page?.subtitle ?? subtitle
    describe(core?.state ?? state, in: &job)
    job.position = core?.position
    job.progress = page.map {
      JobWire.JobProgress(
        completed: $0.completed, total: $0.total, unit: $0.unit == .bytes ? .bytes : .items)
    }
    job.message = obstacle ?? page.flatMap { $0.message.isEmpty ? nil : $0.message }
    job.attempt = attempt
    job.started = started
    job.ended = ended
    return BGTaskRecord(job)
  }

  private func describe(_ state: JobState, in job: inout JobObject) {
    job.state = JobObject.State(state)
    switch state {
    case .queued(let reason): job.pendingReason = reason
    case .launching, .running, .stalled: break
    case .stopping(let reason, _): job.stopReason = reason
    case .ended(let outcome, let reason):
      job.outcome = outcome
      job.stopReason = reason
    }
  }
}
