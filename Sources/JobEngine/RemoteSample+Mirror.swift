internal import JobPage
internal import JobWire

extension RemoteSample {
  /// The content of a mirror, with durations in place of the node's times.
  init(_ mirror: Mirror) {
    self.init()
    let page = mirror.snapshot
    sequence = mirror.sequence
    completed = page.completed
    total = page.total
    unit = page.unit.rawValue
    reports = page.reports
    textSequence = page.textSequence
    title = page.title
    subtitle = page.subtitle
    let left = page.quietUntil > mirror.nodeClock ? page.quietUntil - mirror.nodeClock : 0
    quietMilliseconds = left / 1_000_000
    reportedAgoMilliseconds = mirror.reportedAgo / 1_000_000
    advancedAgoMilliseconds = mirror.advancedAgo / 1_000_000
    logBytes = mirror.logBytes
    outcome = page.outcome.rawValue
    deferSeconds = page.deferSeconds
    message = page.message
    problem =
      switch page.condition {
      case .intact: ""
      case .truncated: "the job truncated its page; its progress is unknown"
      case .garbage: "the job wrote invalid data to its page; its progress is unknown"
      case .unreadable: "the job's page is gone; its progress is unknown"
      }
    if case .stopping(.partition(let name), _)? = RunRecord.Line(parsing: mirror.line) {
      warning = "\(RunRecord.StopCause.timeIsUp(in: name)); it was told to stop"
    }
  }
}
