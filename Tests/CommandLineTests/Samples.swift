import JobCore
import JobWire

@testable import jobrun

/// Jobs as the tests of the views and of the attachment need them.
enum Sample {
  static let now = Moment(
    awake: Instant(nanoseconds: 100_000_000_000), wall: WallTime(milliseconds: 1_000_100_000))

  static func job(
    _ state: JobStatus.State = .running, title: String = "Trip 2026", subtitle: String = ""
  ) -> JobStatus {
    var job = JobStatus(
      number: JobNumber(12), identifier: "io.jobrun.samples.export.k3f9", title: title,
      submitted: WallTime(milliseconds: 1_000_000_000), log: "/nowhere/12.log",
      stateDirectory: "/nowhere/12")
    job.state = state
    job.subtitle = subtitle
    job.attempt = state == .queued ? 0 : 1
    job.started = state == .queued ? nil : WallTime(milliseconds: 1_000_058_000)
    return job
  }

  /// Running, 43 %, at 112 MB/s.
  static func export() -> JobViewModel {
    var job = job(subtitle: "photos/2026/img_0042.jpg")
    job.progress = JobProgress(completed: 1_204_000_000, total: 2_800_000_000, unit: .bytes)
    var model = JobViewModel(job)
    model.elapsed = .seconds(42)
    model.rate = 112_000_000
    model.remaining = .seconds(14)
    return model
  }

  static func ended(_ outcome: Outcome, exitCode: Int32? = nil) -> JobStatus {
    var job = job(.ended)
    job.outcome = outcome
    job.exitCode = exitCode
    job.ended = WallTime(milliseconds: 1_000_072_200)
    return job
  }
}

extension Moment {
  /// The same on both clocks.
  func later(by span: Interval) -> Moment {
    Moment(
      awake: awake + span,
      wall: WallTime(milliseconds: wall.milliseconds + Int64(span.milliseconds)))
  }
}
