internal import JobCore
internal import JobPage
internal import JobRuntime
internal import JobWire

/// What the embedded scheduler keeps of one task beside what its runtime knows.
struct EmbeddedJob: Sendable {
  let request: RequestedTask
  let number: JobNumber
  /// The last look at its page; nil before its first attempt.
  var page: PageSnapshot?
  /// Why it could not be started.
  var obstacle: String?

  init(_ request: RequestedTask, _ number: JobNumber) {
    self.request = request
    self.number = number
  }

  /// The task as everybody sees it; `core` is what the scheduler says of it while it lives.
  func record(_ live: LiveJob, _ core: Scheduler.Snapshot?) -> BGTaskRecord {
    var job = JobStatus(
      number: number, identifier: request.identifier, title: page?.title ?? live.title,
      submitted: live.submittedAt, log: "", stateDirectory: "")
    job.subtitle = page?.subtitle ?? live.subtitle
    job.enter(core?.state ?? live.state)
    job.position = core?.position
    job.progress = page.map {
      JobProgress(
        completed: $0.completed, total: $0.total, unit: $0.unit == .bytes ? .bytes : .items)
    }
    job.message = obstacle ?? page.flatMap { $0.message.isEmpty ? nil : $0.message }
    job.attempt = max(1, live.attempt)
    job.started = live.startedAt
    job.ended = live.endedAt
    return BGTaskRecord(job)
  }
}
