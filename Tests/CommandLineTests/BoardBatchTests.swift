import JobClient
import JobCore
import JobWire
import Testing

@testable import jobrun

/// Jobs of one submission in `jobrun watch`, and keys that are about several jobs.
struct BoardBatchTests {
  /// `count` frames from number 12 on; the first ones run, those before have ended.
  private func frames(_ count: UInt64, running: ClosedRange<UInt64>) -> [JobStatus] {
    (1...count).map { place in
      let isEnded = place < running.lowerBound
      let state: JobStatus.State =
        isEnded ? .ended : running.contains(place) ? .running : .queued
      var job = Sample.job(state, title: "Render frame \(place)")
      job.identifier = "io.jobrun.run.k3f9x2ab.\(place)"
      job.number = JobNumber(11 + place)
      job.started = state == .queued ? nil : WallTime(milliseconds: 1_000_058_000)
      if isEnded {
        job.outcome = place == 2 ? .failed : .succeeded
        job.ended = WallTime(milliseconds: 1_000_060_000 + Int64(place))
      }
      return job
    }
  }

  private func board(_ jobs: [JobStatus]) -> JobBoard {
    var board = JobBoard()
    for job in jobs {
      _ = board.handle(job.state == .ended ? .listed(job) : .feed(.snapshot(job)))
    }
    return board
  }

  @discardableResult
  private func type(_ text: String, _ board: inout JobBoard) -> [WatchEffect] {
    text.utf8.flatMap { board.handle(.key($0)) }
  }

  private func lines(_ board: JobBoard, _ columns: Int = 80) -> [String] {
    let model = board.model(at: Sample.now, rows: 24, takesKeys: true)
    return BoardView.frame(model, columns: columns, rows: 24).lines.map(\.text)
  }

  @Test func `what a filter finds has its whole title, for it does not stand below its batch`() {
    var board = board(frames(50, running: 4...6))
    type("/frame 4\r", &board)
    #expect(lines(board)[1].hasPrefix("> 15 Render frame 4"), "\(lines(board)[1])")
    type("/\u{15}frame 2\r", &board)
    #expect(lines(board).contains { $0.contains("13 Render frame 2 failed") }, "\(lines(board))")
  }

  @Test func `a batch is one row, which says how its jobs are and opens`() throws {
    var board = board(frames(50, running: 4...6))
    #expect(
      lines(board)[1]
        == "> ▸ Render frame … (50)  ╸─────────    6 %  3/50   3 running  1 failed  0:42")
    #expect(board.rows.all.count == 1)
    type("\r", &board)
    #expect(board.rows.all.count == 51)
    // What failed comes first, and each says what the others do not.
    let opened = lines(board)
    #expect(opened[1].hasPrefix(">  ▾ Render frame … (50)"))
    #expect(opened[2].contains("✗ 13 2 failed"), "\(opened[2])")
    #expect(opened[3].contains("15   4"), "\(opened[3])")
    type("\r", &board)
    #expect(board.rows.all.count == 1)
  }

  @Test func `how far it is counts those that nobody has seen, too`() {
    var jobs = frames(50, running: 4...6)
    jobs.removeLast(20)
    for index in jobs.indices { jobs[index].terms.batchSize = 50 }
    // The others have ended long ago.
    #expect(lines(board(jobs))[1].contains(" 46 %  23/50 "), "\(lines(board(jobs))[1])")
  }

  @Test(arguments: [40, 60, 80, 120, 200])
  func `how much is done, what runs and what failed survive at every width`(columns: Int) {
    let row = lines(board(frames(50, running: 4...6)), columns)[1]
    #expect(row.contains("3/50"), "\(row)")
    #expect(row.contains("3 running  1 failed") || row.contains("▸3  ✗1"), "\(row)")
    #expect(row.contains("0:42"), "\(row)")
  }

  @Test func `keys are about all of a batch, after asking`() {
    var board = board(frames(50, running: 4...6))
    type("c", &board)
    let model = board.model(at: Sample.now, rows: 24, takesKeys: true)
    #expect(model.question == .init(text: "cancel 47 jobs of Render frame …?"))
    let range = JobSelection.range(JobRange(first: JobNumber(12), count: 50))
    #expect(type("y", &board) == [.ask(.cancel(.some(range), now: false))])
    #expect(type("p", &board) == [.ask(.pause(.some(range), keepSlot: false))])
  }

  @Test func `all but two are stopped by marking those and turning the marks round`() {
    var board = board(
      (1...5).map { (number: UInt64) in
        var job = Sample.job(.running, title: "Job \(number)")
        (job.number, job.identifier) = (JobNumber(number), "x")
        return job
      })
    type("  ic", &board)
    #expect(board.marked.map(\.value).sorted() == [3, 4, 5])
    #expect(
      type("y", &board)
        == ([3, 4, 5] as [UInt64]).map { .ask(.cancel(.one(.number(JobNumber($0))), now: false)) })
    #expect(board.marked.isEmpty)
  }

  @Test func `what failed since somebody looked last is marked until it is seen`() {
    var board = board(frames(3, running: 3...3))
    board.lookedAt = WallTime(milliseconds: 1_000_000_000)
    #expect(lines(board)[0].contains("1 failed since you looked"))
    type("f", &board)
    #expect(board.selected == JobNumber(13))
    #expect(lines(board).contains { $0.hasPrefix(">!") })
    type("\r", &board)
    _ = board.handle(.escape)
    #expect(!lines(board)[0].contains("failed since"))
  }

  @Test func `p twice is a pause and its end, however late the runner tells`() {
    var job = Sample.job(.running)
    job.identifier = "x"
    var board = board([job])
    let target = JobTarget.one(.number(JobNumber(12)))
    #expect(
      type("pp", &board)
        == [.ask(.pause(target, keepSlot: false)), .ask(.resume(target))])
  }

  @Test func `what is paused is not counted as running`() {
    var jobs = frames(3, running: 1...2)
    for index in jobs.indices { jobs[index].identifier = "x" }
    jobs[1].state = .paused
    #expect(lines(board(jobs))[0] == "1 running, 1 waiting, 1 paused")
    var batch = frames(50, running: 4...6)
    batch[4].state = .paused
    #expect(lines(board(batch), 100)[1].contains("2 running  1 failed  1 paused"))
  }

  @Test func `t makes what waits the next, in the order in which it was marked`() {
    var jobs = frames(3, running: 1...1)
    for index in jobs.indices { jobs[index].identifier = "x" }
    var board = board(jobs)
    _ = board.handle(.move(.last))
    #expect(
      type("t", &board) == [.ask(.move(.number(JobNumber(14)), behind: nil))])
  }

  @Test func `a screenful leaps over no row, and stops where another kind begins`() {
    var jobs = (1...9).map { (number: UInt64) in
      var job = Sample.job(number < 6 ? .running : .queued, title: "Job \(number)")
      (job.number, job.identifier) = (JobNumber(number), "x")
      return job
    }
    jobs.sort { $0.number < $1.number }
    var board = board(jobs)
    board.pageRows = 3
    var seen: [UInt64] = []
    for _ in 0..<6 {
      seen.append(board.selected?.value ?? 0)
      _ = board.handle(.move(.pageDown))
    }
    #expect(seen == [1, 4, 5, 6, 9, 9])
  }
}
