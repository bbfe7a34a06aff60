internal import Foundation
internal import JobCore
internal import JobWire

extension BGTaskRecord {
  /// The record of a job as the runner, or the embedded scheduler, tells of it.
  init(_ job: JobStatus) {
    number = job.number.value
    identifier = job.identifier
    title = job.title
    subtitle = job.subtitle
    state = State(rawValue: job.state.rawValue) ?? .running
    outcome = job.outcome.flatMap { Outcome(rawValue: $0.rawValue) }
    stopReason = job.stopReason.map { BGTask.StopReason(rawValue: $0.code.rawValue) }
    stopMessage = job.stopReason?.message
    pendingReason = job.pendingReason.map {
      PendingReason(code: $0.code.rawValue, message: $0.message)
    }
    position = job.position
    progress = job.progress.map(Progress.init)
    message = job.message
    attempt = job.attempt
    submitted = Date(milliseconds: job.submitted.milliseconds)
    started = job.started.map { Date(milliseconds: $0.milliseconds) }
    ended = job.ended.map { Date(milliseconds: $0.milliseconds) }
  }
}

extension BGTaskRecord.Progress {
  fileprivate init(_ progress: JobProgress) {
    completed = Int64(clamping: progress.completed)
    total = Int64(clamping: progress.total)
    unit = progress.unit == .bytes ? .bytes : .items
    rate = progress.rate
    remaining = progress.eta.map { .seconds($0) }
  }
}
