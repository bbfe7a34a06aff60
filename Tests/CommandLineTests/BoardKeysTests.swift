import JobCore
import JobWire
import Testing

@testable import jobrun

/// What the keys of `jobrun watch` bring about, and what it asks by itself.
struct BoardKeysTests {
  private func job(_ number: UInt64, _ state: JobStatus.State, _ title: String = "Trip")
    -> JobStatus
  {
    var job = Sample.job(state, title: title)
    job.number = JobNumber(number)
    return job
  }

  private func board(_ jobs: JobStatus...) -> JobBoard {
    var board = JobBoard()
    for job in jobs { _ = board.handle(.feed(.snapshot(job))) }
    return board
  }

  /// Types a text; everything that it brings about.
  @discardableResult
  private func type(_ text: String, _ board: inout JobBoard) -> [JobBoard.Effect] {
    text.utf8.flatMap { board.handle(.key($0)) }
  }

  @Test(arguments: ["\r", "\n"])
  func `Enter opens a job, whether it lives or has ended, and Escape goes back`(key: String) {
    var board = board(job(1, .running))
    var past = job(9, .ended)
    past.ended = Sample.now.wall
    _ = board.handle(.listed(past))
    #expect(type(key, &board) == [])
    #expect(board.pane == .job(JobNumber(1)))
    _ = board.handle(.escape)
    #expect(board.pane == .jobs)
    _ = board.handle(.move(.last))
    #expect(type(key, &board) == [])
    #expect(board.pane == .job(JobNumber(9)))
    // Its log is one step further.
    type("l", &board)
    #expect(board.pane == .log(JobNumber(9)))
    _ = board.handle(.escape)
    #expect(board.pane == .job(JobNumber(9)))
    #expect(board.handle(.interrupt) == [.finish(122)])
    var empty = JobBoard()
    #expect(type(key, &empty) == [])
    #expect(empty.notice == "there is no job to open")
  }

  @Test func `p pauses the selected job or lets it go on`() {
    var board = board(job(1, .running), job(2, .paused))
    let first = JobReference.number(JobNumber(1))
    #expect(type("p", &board) == [.ask(.pause(.one(first), keepSlot: false))])
    _ = board.handle(.move(.down))
    #expect(type("p", &board) == [.ask(.resume(.one(.number(JobNumber(2)))))])
    var empty = JobBoard()
    #expect(type("p", &empty) == [])
    #expect(empty.notice == "there is no job to pause")
  }

  @Test(arguments: [("m", Interval.minutes(10)), ("h", .minutes(60)), ("u", nil)])
  func `P asks for how long, and pauses`(key: String, length: Interval?) {
    var board = board(job(1, .running))
    #expect(type("P", &board) == [])
    let model = board.model(at: Sample.now, rows: 24, takesKeys: true)
    let said = BoardView.footer(model, width: 79).text
    #expect(said == "pause job 1, Trip: m 10 min, h 1 h, u until resumed")
    #expect(
      BoardView.footer(model, width: 39).text.hasSuffix(": m 10 min, h 1 h, u until resumed"))
    let wanted = Request.pause(.one(.number(JobNumber(1))), keepSlot: false, length: length)
    #expect(type(key, &board) == [.ask(wanted)])
    type("P", &board)
    #expect(type("x", &board) == [] && board.notice == "nothing was paused")
    var waiting = self.board(job(2, .queued))
    #expect(type("P", &waiting) == [] && waiting.notice == "there is no job to pause")
  }

  @Test func `e types the title of a waiting job, and of no other`() {
    var board = board(job(1, .running), job(2, .queued, "Trip"))
    type("e", &board)
    #expect(board.notice == "only a waiting job can be renamed" && board.retitling == nil)
    _ = board.handle(.move(.down))
    type("e", &board)
    type(" to q", &board)
    let model = board.model(at: Sample.now, rows: 24, takesKeys: true)
    #expect(BoardView.footer(model, width: 79).text == "title of 2: Trip to q_")
    var edit = JobEdit()
    edit.title = "Trip to q"
    #expect(type("\r", &board) == [.ask(.edit(.number(JobNumber(2)), edit))])
    #expect(board.retitling == nil && board.pane == .jobs)
    // What is not changed or not confirmed is not sent.
    type("e", &board)
    #expect(type("\r", &board) == [])
    type("ex", &board)
    _ = board.handle(.escape)
    #expect(type("\r", &board) == [] && board.pane == .job(JobNumber(2)))
  }

  @Test func `? shows the keys until any key`() {
    var board = board(job(1, .running))
    type("?", &board)
    #expect(board.pane == .keys)
    #expect(type("q", &board) == [])
    #expect(board.pane == .jobs)
    #expect(type("q", &board) == [.finish(0)])
  }

  @Test func `in a log a slash searches, n and N go on, and Escape forgets the text first`() {
    var board = board(job(1, .running))
    type("ln", &board)
    #expect(board.notice == "nothing is searched for: / begins a search")
    type("/qn", &board)
    // These are letters of the text, no keys.
    #expect(board.pane == .log(JobNumber(1)) && board.takeLogSteps() == [])
    type("\u{7F}ö\r", &board)
    #expect(board.takeLogSteps() == [.find("qö", isBack: false)])
    type("nN", &board)
    #expect(board.takeLogSteps() == [.find("qö", isBack: false), .find("qö", isBack: true)])
    _ = board.handle(.escape)
    #expect(board.takeLogSteps() == [.forget] && board.pane == .log(JobNumber(1)))
    _ = board.handle(.escape)
    #expect(board.pane == .jobs)
    // Another log begins without a search.
    type("l/x\rql", &board)
    #expect(board.search.isEmpty && board.takeLogSteps() == [])
  }

  @Test func `l shows the log of the selected job, which can be leafed through`() {
    var board = board(job(1, .running), job(2, .running))
    _ = board.look(at: Sample.now, rows: 24)
    _ = board.handle(.move(.down))
    type("l", &board)
    #expect(board.pane == .log(JobNumber(2)))
    _ = board.handle(.move(.pageUp))
    type("gG", &board)
    #expect(board.takeLogSteps() == [.move(.pageUp), .move(.first), .move(.last)])
    #expect(board.takeLogSteps() == [])
    // The jobs stay as they were.
    type("q", &board)
    #expect(board.pane == .jobs && board.selected == JobNumber(2))
    type("l", &board)
    _ = board.handle(.escape)
    #expect(board.pane == .jobs)
  }

  @Test(
    arguments: [
      ("film", [2]), ("FILM", [2]), ("3", [3]), ("i", [2, 3]), ("nothing", []), ("", [1, 2, 3]),
    ] as [(String, [UInt64])])
  func `the filter is part of a title, a definition or a number`(text: String, left: [UInt64]) {
    var music = job(3, .running, "Music")
    music.identifier = "x"
    var first = job(1, .running, "Backup")
    first.identifier = "y"
    var film = job(2, .running, "Film")
    film.identifier = "z"
    var board = board(first, film, music)
    type("/" + text + "\r", &board)
    #expect(board.active.map(\.value) == left)
    #expect(board.selected?.value == left.first)
    _ = board.handle(.escape)
    #expect(board.active.count == 3)
  }

  @Test func `letters of the filter are no commands, and can be taken back`() {
    var board = board(job(1, .running, "quick"))
    #expect(type("/qcy", &board) == [])
    #expect(board.filter.text == "qcy" && board.confirmation == nil)
    type("\u{7F}\u{7F}é\u{7F}u", &board)
    #expect(board.filter.text == "qu")
    type("\u{15}", &board)
    #expect(board.filter.isEmpty && board.filter.isTyped)
    type("\r", &board)
    #expect(type("q", &board) == [.finish(0)])
  }

  @Test func `a screenful and the ends are one key away`() {
    var board = board()
    for number in 1...50 as ClosedRange<UInt64> {
      _ = board.handle(.feed(.snapshot(job(number, .running))))
    }
    _ = board.look(at: Sample.now, rows: 24)
    _ = board.handle(.move(.pageDown))
    #expect(board.selected == JobNumber(21))
    _ = board.handle(.move(.last))
    #expect(board.selected == JobNumber(50))
    _ = board.handle(.move(.pageUp))
    #expect(board.selected == JobNumber(30))
    _ = board.handle(.move(.first))
    #expect(board.selected == JobNumber(1))
  }

  @Test func `what jobs wait for is asked anew when one starts or ends, and now and then`() {
    var waiting = job(3, .queued)
    waiting.position = 1
    waiting.pendingReason = PendingReason(.slots, "both slots are taken by jobs 1 and 2")
    var board = board(job(1, .running), job(2, .running), waiting)
    let question = [JobBoard.Effect.ask(.show(.number(JobNumber(3))))]
    #expect(board.look(at: Sample.now) == [])
    #expect(board.look(at: Sample.now.later(by: .seconds(4))) == [])
    #expect(board.look(at: Sample.now.later(by: .seconds(5))) == question)
    var ended = job(1, .ended)
    ended.ended = Sample.now.wall
    _ = board.handle(.feed(.event(sequence: 1, at: Sample.now.wall, .ended, ended)))
    #expect(board.look(at: Sample.now.later(by: .milliseconds(5_500))) == [])
    #expect(board.look(at: Sample.now.later(by: .seconds(6))) == question)
    waiting.pendingReason = PendingReason(.slots, "both slots are taken by jobs 2 and 4")
    _ = board.handle(.answered(waiting))
    let model = board.model(at: Sample.now, rows: 20, takesKeys: true)
    #expect(
      model.queued.items.first?.model.job.pendingReason?.message
        == "both slots are taken by jobs 2 and 4"
    )
    // It may have started since; then the feed says more than the answer.
    _ = board.handle(.feed(.event(sequence: 2, at: Sample.now.wall, .launched, job(3, .running))))
    _ = board.handle(.answered(waiting))
    #expect(board.active == [JobNumber(2), JobNumber(3)])
  }
}
