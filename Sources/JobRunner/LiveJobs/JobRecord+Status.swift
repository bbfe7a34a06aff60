import JobCore
import JobWire

extension JobRecord {
  /// The public status of an ended job, from its stored record.
  func object(paths: Paths) -> JobStatus {
    var object = JobStatus(
      number: number, identifier: submission.identifier.text, title: title,
      submitted: WallTime(milliseconds: submittedMilliseconds), log: paths.log(number),
      stateDirectory: paths.jobState(number))
    object.definition = definition
    object.subtitle = subtitle
    object.terms = JobStatus.Terms(submission, details, number)
    object.terms.options = submission.options
    object.terms.place(on: machine)
    object.enter(state)
    object.message = message
    if pausedFor > .zero {
      object.paused = JobStatus.Paused(since: nil, seconds: Double(pausedFor.milliseconds) / 1_000)
    }
    object.warning = warning
    object.attempt = attempt
    object.exitCode = exitCode
    object.signal = signal
    object.gpus = gpus
    object.started = startedMilliseconds.map { WallTime(milliseconds: $0) }
    object.ended = endedMilliseconds.map { WallTime(milliseconds: $0) }
    object.use = use
    (object.engineJob, object.node) = (engineJob, node)
    object.progress = progress
    return object
  }
}
