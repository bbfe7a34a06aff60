import JobCore
import JobWire
import Testing

@testable import jobrun

/// What `jobrun watch` knows, and what keys bring about.
struct JobBoardTests {
  private func job(
    _ number: UInt64, _ state: JobStatus.State, position: Int? = nil
  ) -> JobStatus {
    var job = Sample.job(state, title: "Job \(number)")
    job.number = JobNumber(number)
    job.position = position
    return job
  }

  private func event(_ job: JobStatus) -> JobBoard.Event {
    .feed(.event(sequence: 1, at: Sample.now.wall, .queued, job))
  }

  private func numbers(_ numbers: [JobNumber]) -> [UInt64] { numbers.map(\.value) }

  private func board(_ jobs: JobStatus...) -> JobBoard {
    var board = JobBoard()
    _ = board.handle(.connected)
    for job in jobs { _ = board.handle(.feed(.snapshot(job))) }
    return board
  }

  private func asking(_ number: UInt64) -> JobStatus {
    var job = job(number, .stalled)
    job.prompt = JobStatus.Prompt(question: "Continue?", since: Sample.now.wall)
    return job
  }

  @Test func `it asks for all that happens and for what has ended`() {
    var board = JobBoard()
    let effects = board.handle(.connected)
    #expect(effects.count == 2)
    #expect(
      effects.first
        == .ask(.feed(since: nil, progressHertz: Limits.progressHertzUsual, brief: true)))
    // Until then nothing is said of how many run.
    #expect(board.isReading)
    _ = board.handle(event(job(1, .running)))
    #expect(!board.isReading)
  }

  @Test func `the queue is followed though nobody tells who moved up`() {
    var board = board(
      job(1, .running), job(3, .queued, position: 2), job(2, .queued, position: 1),
      job(4, .queued, position: 3))
    #expect(numbers(board.queued) == [2, 3, 4])
    _ = board.handle(event(job(2, .launching)))
    _ = board.handle(event(job(3, .running)))
    _ = board.handle(event(job(5, .queued, position: 2)))
    #expect(numbers(board.queued) == [4, 5])
    // One that goes back to the queue goes to where it says.
    _ = board.handle(event(job(3, .queued, position: 3)))
    #expect(numbers(board.queued) == [4, 5, 3])
    let model = board.model(at: Sample.now, rows: 10, takesKeys: true)
    #expect(model.queued.items.map(\.model.job.position) == [1, 2, 3])
    #expect(numbers(board.active) == [1, 2])
  }

  @Test func `what waits for other jobs has no place in the queue`() {
    var waiting = job(2, .queued)
    waiting.pendingReason = PendingReason(.after, "waits for job 1 to succeed")
    let board = board(job(1, .running), waiting, job(3, .queued, position: 1))
    #expect(numbers(board.queued) == [3, 2])
    let model = board.model(at: Sample.now, rows: 10, takesKeys: true)
    #expect(model.queued.items.map(\.model.job.position) == [1, nil])
  }

  @Test func `what does not advance says so on the board too`() {
    var running = job(1, .running)
    running.progress = JobProgress(completed: 1, total: 10)
    var board = board(running)
    var now = Sample.now
    _ = board.look(at: now)
    running.progress?.completed = 2
    running.progress?.changed = WallTime(milliseconds: now.wall.milliseconds + 1000)
    running.progress?.interval = 15
    _ = board.handle(.feed(.progress(running)))
    now = now.later(by: .seconds(1))
    _ = board.look(at: now)
    #expect(
      board.model(at: now, rows: 10, takesKeys: true).active.items.first?.model.unchanged == nil)
    now = now.later(by: .seconds(29))
    _ = board.look(at: now)
    #expect(
      board.model(at: now, rows: 10, takesKeys: true).active.items.first?.model.unchanged == nil)
    now = now.later(by: .seconds(13))
    _ = board.look(at: now)
    let model = board.model(at: now, rows: 10, takesKeys: true)
    #expect(model.active.items.first?.model.unchanged == .seconds(42))
    running.quietUntil = WallTime(milliseconds: now.wall.milliseconds + 1)
    _ = board.handle(.feed(.progress(running)))
    #expect(
      board.model(at: now, rows: 10, takesKeys: true).active.items.first?.model.unchanged == nil)
    running.quietUntil = now.wall
    _ = board.handle(.feed(.progress(running)))
    #expect(
      board.model(at: now, rows: 10, takesKeys: true).active.items.first?.model.unchanged != nil)
  }

  @Test func `a line with nothing but progress moves the job and leaves the rest of it`() {
    var board = board(job(1, .running))
    let title = board.job(JobNumber(1))?.title
    _ = board.handle(.feed(.brief(JobNumber(1), JobProgress(completed: 3, total: 4))))
    _ = board.handle(.feed(.brief(JobNumber(2), JobProgress(completed: 3, total: 4))))
    #expect(board.job(JobNumber(1))?.progress?.completed == 3)
    #expect(board.job(JobNumber(1))?.title == title)
    #expect(board.frames[JobNumber(1)] == 1)
    #expect(numbers(board.active) == [1], "what it does not know, a few counts do not tell")
  }

  @Test func `after a gap only what is told again is there`() {
    var board = board(job(1, .running), job(2, .queued, position: 1))
    _ = board.handle(.feed(.gap(from: 1, to: 9)))
    _ = board.handle(.feed(.snapshot(job(2, .running))))
    #expect(numbers(board.active) == [2])
    #expect(board.queued.isEmpty)
  }

  @Test func `the latest end comes first, and a redone job is live again`() {
    var board = board(job(1, .running), job(2, .running))
    for number in [1, 2] as [UInt64] {
      var ended = job(number, .ended)
      ended.ended = WallTime(milliseconds: Int64(number))
      _ = board.handle(event(ended))
    }
    #expect(board.ended.map(\.number.value) == [2, 1])
    _ = board.handle(event(job(1, .queued, position: 1)))
    #expect(board.ended.map(\.number.value) == [2])
  }

  @Test func `cancelling asks first, and a second time kills`() {
    var board = board(job(7, .running))
    #expect(board.handle(.key(UInt8(ascii: "c"))) == [])
    #expect(board.confirmation == JobBoard.Confirmation(jobs: [JobNumber(7)]))
    #expect(board.handle(.key(UInt8(ascii: "x"))) == [])
    #expect(board.confirmation == nil)
    _ = board.handle(.key(UInt8(ascii: "c")))
    #expect(
      board.handle(.key(UInt8(ascii: "y"))) == [
        .ask(.cancel(.one(.number(JobNumber(7))), now: false))
      ])
    _ = board.handle(event(job(7, .stopping)))
    _ = board.handle(.key(UInt8(ascii: "c")))
    #expect(
      board.handle(.key(UInt8(ascii: "y"))) == [
        .ask(.cancel(.one(.number(JobNumber(7))), now: true))
      ])
  }

  @Test func `an answer never goes to another job than the selected one`() {
    var board = board(job(1, .running), asking(2))
    // The question is what the eye is led to.
    #expect(board.selected == JobNumber(2))
    _ = board.handle(.move(.up))
    #expect(board.selected == JobNumber(1))
    #expect(board.handle(.key(UInt8(ascii: "n"))) == [])
    #expect(board.selected == JobNumber(2))
    #expect(
      board.handle(.key(UInt8(ascii: "n"))) == [
        .ask(.answer(.number(JobNumber(2)), continues: false))
      ])
  }

  @Test func `the selection goes through all kinds and stops at the ends`() {
    var past = job(9, .ended)
    past.ended = Sample.now.wall
    var board = board(job(1, .running), job(2, .queued, position: 1))
    _ = board.handle(.listed(past))
    var seen: [UInt64] = []
    for _ in 0..<4 {
      seen.append(board.selected?.value ?? 0)
      _ = board.handle(.move(.down))
    }
    #expect(seen == [1, 2, 9, 9])
  }

  @Test func `q and Ctrl-C leave, and the jobs go on`() {
    var board = board(job(1, .running))
    #expect(board.handle(.key(UInt8(ascii: "q"))) == [.finish(0)])
    #expect(board.handle(.leave) == [.finish(122)])
  }
}
