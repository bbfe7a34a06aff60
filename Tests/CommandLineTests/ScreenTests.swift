import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// Whole screens that people look at for hours: changes show in review.
///
/// `JOBRUN_RECORD_GOLDEN=1` rewrites the files of `Screens`.
struct ScreenTests {
  private func job(
    _ number: UInt64, _ state: JobStatus.State, _ title: String, progress: JobProgress? = nil
  ) -> JobStatus {
    var job = Sample.job(state, title: title)
    job.number = JobNumber(number)
    job.identifier = "io.jobrun.run.x"
    job.progress = progress
    return job
  }

  private func ended(_ number: UInt64, _ title: String, _ outcome: Outcome, code: Int32? = nil)
    -> JobStatus
  {
    var job = job(number, .ended, title)
    (job.outcome, job.exitCode) = (outcome, code)
    job.ended = WallTime(milliseconds: 1_000_090_000 + Int64(number))
    return job
  }

  private var running: [JobStatus] {
    var download = JobProgress(completed: 1_200_000_000, total: 3_900_000_000, unit: .bytes)
    (download.rate, download.eta) = (34_000_000, 79)
    var training = JobProgress(completed: 120, total: 900)
    (training.rate, training.eta) = (1.9, 410)
    var asking = job(6, .stalled, "Upload", progress: JobProgress(completed: 43, total: 100))
    asking.prompt = JobStatus.Prompt(
      question: "Continue?", since: WallTime(milliseconds: 1_000_058_000))
    var stopping = job(8, .stopping, "Stopping", progress: JobProgress(completed: 2, total: 9))
    stopping.stopReason = .requested
    var long = job(
      1, .running, "Train the model on everything that could be found, twice, epoch 12 of 90",
      progress: training)
    long.subtitle = "loss 0.0123, accuracy 87.5 %"
    return [
      long, job(2, .running, "Download debian-12.iso", progress: download),
      job(3, .running, "写真の書き出し 2026年", progress: JobProgress(completed: 480, total: 500)),
      job(4, .running, "تصدير الصور لعام 2026", progress: JobProgress(completed: 40, total: 400)),
      job(5, .running, "📷 Photos → album"), asking,
      job(7, .paused, "Paused", progress: JobProgress(completed: 3, total: 10)), stopping,
    ]
  }

  private var frames: [JobStatus] {
    (1...50).map { (place: UInt64) in
      let state: JobStatus.State = place < 21 ? .ended : place < 24 ? .running : .queued
      var job =
        state == .ended
        ? ended(100 + place, "Render frame \(place)", place % 10 == 7 ? .failed : .succeeded)
        : job(100 + place, state, "Render frame \(place)")
      job.identifier = "io.jobrun.run.k3f9x2ab.\(place)"
      if state == .queued {
        job.position = Int(place) - 23
        job.pendingReason = PendingReason(.slots, "all 3 slots of group render are taken")
      }
      return job
    }
  }

  private var others: [JobStatus] {
    var held = job(200, .queued, "Held")
    held.pendingReason = PendingReason(.held, "on hold until jobrun release lets it go")
    var after = job(201, .queued, "After the upload")
    after.pendingReason = PendingReason(.after, "waits for job 6 to succeed")
    return [
      held, after, ended(9, "Backup of /home", .succeeded), ended(10, "Compile", .failed, code: 2),
      ended(11, "Too slow", .expired), ended(12, "Changed my mind", .cancelled),
      ended(13, "Power cut", .interrupted), ended(14, "Two GPUs", .refused),
    ]
  }

  private func board() -> JobBoard {
    var board = JobBoard()
    board.lookedAt = WallTime(milliseconds: 1_000_090_010)
    for job in running + frames + others {
      _ = board.handle(job.state == .ended ? .listed(job) : .feed(.snapshot(job)))
    }
    _ = board.look(at: Sample.now)
    return board
  }

  private func text(_ board: JobBoard, _ columns: Int, log: [Line] = []) -> String {
    var model = board.model(at: Sample.now, rows: 40, takesKeys: true)
    model.log = log
    let frame = BoardView.frame(model, columns: columns, rows: 40)
    // Clocks differ from machine to machine.
    return frame.lines.filter { !$0.text.contains(" 1970 ") }.map { line in
      String(line.text.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n") + "\n"
  }

  private func check(_ text: String, _ name: String) throws {
    let path = BuiltProducts.packageRoot + "/Tests/CommandLineTests/Screens/\(name).txt"
    if ProcessInfo.processInfo.environment["JOBRUN_RECORD_GOLDEN"] != nil {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOfFile: path, encoding: .utf8)), "\(name):\n\(text)")
  }

  @Test(arguments: [40, 60, 80, 120, 200])
  func `all jobs`(columns: Int) throws {
    try check(text(board(), columns), "watch-\(columns)")
  }

  /// As `attach` shows them: one job, or all of a group.
  @Test(arguments: [40, 60, 80, 120, 200])
  func `the line`(columns: Int) throws {
    var group = JobViewModel(job(20, .running, "group render"))
    group.job.progress = JobProgress(completed: 20, total: 50)
    group.tally = .init(running: 3, waiting: 27, failed: 2, cancelled: 0)
    (group.elapsed, group.remaining) = (.seconds(42), .seconds(125))
    let models =
      running.map { job in
        var model = JobViewModel(job)
        model.elapsed = Sample.now.spent(on: job)
        (model.rate, model.remaining) = (
          job.progress?.rate, job.progress?.eta.map { .seconds(UInt64($0)) }
        )
        model.takesKeys = true
        return model
      } + [group]
    let lines = models.flatMap { LiveView.lines($0, width: columns - 1) }.map(\.text)
    #expect(lines.allSatisfy { TextWidth.of($0) < columns })
    try check(lines.joined(separator: "\n") + "\n", "line-\(columns)")
  }

  @Test func `a log that is searched`() throws {
    var board = board()
    _ = board.handle(.move(.first))
    for byte in "l/loss\r".utf8 { _ = board.handle(.key(byte)) }
    board.notice = "search continued from the beginning"
    var model = board.model(at: Sample.now, rows: 12, takesKeys: true)
    model.log = (1...10).map { Line("step \($0)  loss 0.0123").marking("loss") }
    model.logPlace = "to 34 % of 206.9 MB"
    let lines = BoardView.frame(model, columns: 80, rows: 12).lines.map(\.text)
    try check(lines.joined(separator: "\n") + "\n", "log")
  }

  @Test func `a batch that is open`() throws {
    var board = board()
    _ = board.handle(.key(UInt8(ascii: "f")))
    try check(text(board, 100), "batch")
  }

  @Test func `a job that is open`() throws {
    var board = board()
    _ = board.handle(.move(.first))
    _ = board.handle(.key(0x0D))
    let log = (1...30).map { Line(output: "\u{1B}[32mstep \($0)\u{1B}[0m  loss 0.0123") }
    try check(text(board, 80, log: log), "job")
  }
}
