import JobCore
import JobWire

/// Everything that is known about one job, for `jobrun show`.
enum JobFacts {
  typealias Fact = (name: String, value: String)

  static func all(_ job: JobObject) -> [Fact] {
    identity(job) + state(job) + progress(job) + run(job) + places(job)
  }

  private static func identity(_ job: JobObject) -> [Fact] {
    [("number", "\(job.number)"), ("identifier", job.identifier), ("kind", job.kind.rawValue)]
      + fact("definition", job.definition) + [("title", job.title)]
      + fact("subtitle", job.subtitle.isEmpty ? nil : job.subtitle)
  }

  private static func state(_ job: JobObject) -> [Fact] {
    [("state", job.state.rawValue)]
      + fact("outcome", job.outcome?.rawValue)
      + fact("stop reason", job.stopReason.map { "\($0.code.rawValue): \($0.message)" })
      + fact("waits for", job.pendingReason.map { "\($0.code.rawValue): \($0.message)" })
      + fact("on end", job.onEnd.map(SafeText.shown))
      + fact("after", job.after.isEmpty ? nil : after(job))
      + fact("position", job.position.map { "\($0)" })
      + fact("asks", job.prompt.map { "\($0.question) (since \($0.since.text))" })
      + fact("quiet until", job.quietUntil?.text)
      + fact("warning", job.warning)
      + fact("message", job.message)
  }

  private static func after(_ job: JobObject) -> String {
    job.after.map(\.description).joined(separator: ", ")
  }

  private static func progress(_ job: JobObject) -> [Fact] {
    guard let progress = job.progress else { return [] }
    let amount = QuantityText.amount(progress.completed, of: progress.total, progress.unit)
    let percent = QuantityText.percent(progress.completed, of: progress.total)
      .drop { $0 == " " }
    let parts = [String(percent), amount].filter { !$0.isEmpty }
    return [("progress", parts.joined(separator: ", "))]
      + fact("rate", QuantityText.rate(progress.rate, progress.unit))
      + fact("time left", progress.eta.map(QuantityText.length))
      + [("reported by", source(of: progress))]
  }

  /// `page`, or `output: rsync`.
  private static func source(of progress: JobProgress) -> String {
    progress.source.rawValue + (progress.recogniser.map { ": \(SafeText.shown($0))" } ?? "")
  }

  private static func run(_ job: JobObject) -> [Fact] {
    [("attempt", "\(job.attempt)")]
      + fact("process", job.pid.map { "\($0)" })
      + fact("exit code", job.exitCode.map { "\($0)" })
      + fact("signal", job.signal.map { "\($0)" })
      + fact("gpus", job.gpus.isEmpty ? nil : job.gpus.joined(separator: ", "))
      + [("attached", "\(job.attached)"), ("submitted", job.submitted.text)]
      + fact("not before", job.earliest?.text)
      + fact("started", job.started?.text)
      + fact("ended", job.ended?.text)
      + fact("cpu time", job.cpuSeconds.map(QuantityText.length))
      + fact("peak memory", job.maxResidentBytes.map(QuantityText.bytes))
  }

  private static func places(_ job: JobObject) -> [Fact] {
    [("log", job.log), ("state folder", job.stateDirectory)]
  }

  private static func fact(_ name: String, _ value: String?) -> [Fact] {
    value.map { [(name, $0)] } ?? []
  }
}
