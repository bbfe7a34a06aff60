import JobCore
import JobWire
import Testing

@testable import jobrun

/// Golden frames of `jobrun watch`.
struct BoardViewTests {
  private func model(_ number: UInt64, _ state: JobStatus.State, _ title: String) -> JobViewModel {
    var model = JobViewModel(Sample.job(state, title: title))
    model.job.number = JobNumber(number)
    model.elapsed = .seconds(61)
    return model
  }

  private func section(_ jobs: [JobViewModel], count: Int? = nil) -> BoardViewModel.Section {
    BoardViewModel.Section(
      count: count ?? jobs.count, first: 0,
      items: jobs.map { BoardItem(row: .job($0.job.number), model: $0) })
  }

  private func busy() -> BoardViewModel {
    var board = BoardViewModel()
    var export = Sample.export()
    export.job.number = JobNumber(3)
    var stalled = model(4, .stalled, "Backup")
    stalled.job.progress = JobProgress(completed: 43, total: 100)
    stalled.job.prompt = JobStatus.Prompt(question: "Continue?", since: Sample.now.wall)
    stalled.unchanged = .seconds(42)
    stalled.takesKeys = true
    var waiting = model(5, .queued, "Render")
    waiting.job.position = 1
    waiting.job.pendingReason = PendingReason(.slots, "both slots are taken")
    var last = JobViewModel(Sample.ended(.succeeded))
    last.job.number = JobNumber(2)
    board.active = section([export, stalled])
    board.queued = section([waiting])
    board.ended = section([last])
    (board.running, board.waiting, board.asking) = (2, 1, 1)
    board.selected = .job(JobNumber(4))
    board.takesKeys = true
    return board
  }

  private func text(_ board: BoardViewModel, _ columns: Int, _ rows: Int) -> [String] {
    BoardView.frame(board, columns: columns, rows: rows).lines.map(\.text)
  }

  @Test func `a wide terminal shows all kinds under headings`() {
    let lines = text(busy(), 100, 14)
    #expect(
      lines == [
        "2 running, 1 waiting, 1 question",
        "  3 Trip 2026  ━━━━──────   43 %  1.2/2.8 GB  112 MB/s   0:14 left  photos/2026/img_0042.jpg",
        "> 4 Backup     ━━━━──────   43 %  43/100      stalled 0:42  continue? [y/n]",
        "", "Waiting", "  5 Render  waiting, #1  both slots are taken", "", "Ended",
        "  ✓ 2 Trip 2026 succeeded in 14.2 s", "", "", "", "",
        "y/n answer  Enter open  c cancel  p pause  l log  / filter  Space mark  ? keys  q leave",
      ])
  }

  @Test func `forty columns and ten rows are enough`() {
    var board = busy()
    board.queued = section(board.queued.items.map(\.model), count: 1)
    let frame = BoardView.frame(board, columns: 40, rows: 10)
    #expect(
      frame.lines.map(\.text) == [
        "2 running, 1 waiting, 1 question", "  3 Trip 2026  1.2/2.8 GB  0:14 left",
        "> 4 Backup     continue? [y/n]", "  5 Render  waiting, #1  both slots ar…",
        "  ✓ 2 Trip 2026 succeeded in 14.2 s", "", "", "", "",
        "y/n answer  Enter open  ? keys  q leave",
      ])
    #expect(frame.cursor == 2)
  }

  @Test func `bars stand below each other, whatever the titles are`() {
    var board = BoardViewModel()
    board.active = section(
      [(3, "Trip"), (14, "A film with a long title"), (7, "写真")].map {
        (number: UInt64, title: String) in
        var model = model(number, .running, title)
        model.job.progress = JobProgress(completed: number, total: 20)
        model.job.subtitle = number == 7 ? "a/path/that/takes/room.jpg" : ""
        return model
      })
    for columns in [50, 60, 80, 120] {
      let lines = BoardView.frame(board, columns: columns, rows: 10).lines[1...3]
      let bars = lines.map { line in
        let before = line.text.prefix { !"━╸─".contains($0) }
        return [TextWidth.of(before), line.text.count { "━╸─".contains($0) }]
      }
      #expect(Set(bars).count == 1, "\(columns): \(lines.map(\.text))")
    }
  }

  @Test func `what all wait for is said once`() {
    var board = BoardViewModel()
    let jobs = (5...8).map { (number: UInt64) in
      var model = model(number, .queued, "Job \(number)")
      let reason = number == 7 ? "waits for job 6 to succeed" : "both slots are taken"
      model.job.pendingReason = PendingReason(number == 7 ? .after : .slots, reason)
      model.job.position = number == 7 ? nil : Int(number) - 4
      return model
    }
    board.queued = section(jobs)
    #expect(
      Array(text(board, 80, 16)[1...6]) == [
        "", "Waiting: both slots are taken", "  5 Job 5  waiting, #1", "  6 Job 6  waiting, #2",
        "  7 Job 7  waits for job 6 to succeed", "  8 Job 8  waiting, #4",
      ])
  }

  @Test func `? lists the keys`() {
    var board = busy()
    board.pane = .keys
    #expect(
      Array(text(board, 80, 18)[0...4]) == [
        "Keys", "", "  Enter        open a job, or a batch; again: close",
        "  Esc          one step back: from a job, marks or a filter",
        "  c            cancel, after asking; once more: kill",
      ])
    #expect(text(board, 80, 18).last == "any key: back to the jobs")
    // A small terminal shows all of them, too.
    let small = text(board, 60, 15)
    #expect(small[0].hasPrefix("  Enter") && small[13].hasPrefix("  q, Ctrl-C"), "\(small)")
    #expect(small.allSatisfy { !$0.contains("…") }, "\(small)")
  }

  @Test func `a log says which part of it is seen, and what is searched for`() {
    var board = busy()
    board.pane = .log(JobNumber(4))
    #expect(text(board, 80, 4)[1] == "no output yet")
    board.log = (1...3).map { Line("line \($0)") }
    #expect(Array(text(board, 80, 5)[0...3]) == ["Log of job 4", "line 1", "line 2", "line 3"])
    #expect(text(board, 80, 5)[4] == "Esc back   / search   arrows, PgUp, PgDn, Home, End")
    (board.logPlace, board.notice) = ("to 34 % of 5.4 MB", "search continued from the beginning")
    #expect(
      text(board, 80, 5)[0]
        == "Log of job 4, to 34 % of 5.4 MB  search continued from the beginning")
    board.search.isTyped = true
    for byte in "err".utf8 { board.search.type(byte) }
    #expect(text(board, 80, 5)[4] == "/err_")
    board.search.type(0x0D)
    #expect(text(board, 80, 5)[4].contains("n next   N previous"))
    #expect(text(board, 30, 5)[4] == "Esc  / search  n N")
  }

  @Test func `a filter is seen while it is typed, and after`() {
    var board = busy()
    board.filter.isTyped = true
    for byte in "tri".utf8 { board.filter.type(byte) }
    #expect(text(board, 80, 14).last == "/tri_")
    board.filter.type(0x0D)
    #expect(text(board, 80, 14)[0] == "2 running, 1 waiting, 1 question with \"tri\"")
    #expect(text(board, 80, 14).last?.contains("Esc all jobs") == true)
  }

  @Test func `what does not fit is counted, and the selected job is always seen`() {
    var board = BoardViewModel()
    board.takesKeys = true
    board.active = section((1...4).map { model($0, .running, "Job \($0)") })
    board.queued = section((10...40).map { model($0, .queued, "Job \($0)") }, count: 5000)
    board.ended = section((1...9).map { _ in JobViewModel(Sample.ended(.failed)) })
    for number in [1, 4, 10, 25, 40] as [UInt64] {
      board.selected = .job(JobNumber(number))
      for rows in [8, 10, 30] {
        let frame = BoardView.frame(board, columns: 40, rows: rows)
        #expect(frame.lines.count == rows)
        #expect(frame.lines[frame.cursor].text.hasPrefix("> \(number) "), "\(number) in \(rows)")
      }
    }
    #expect(text(board, 40, 10).contains { $0.hasPrefix("  … and 49") })
  }

  @Test func `before a job is stopped its title stands in the question`() {
    var board = busy()
    board.question = .init(text: "cancel job 12, Trip 2026?")
    #expect(text(board, 100, 14).last == "cancel job 12, Trip 2026? [y/n]")
    board.question = .init(text: "kill job 12, Trip 2026?")
    #expect(text(board, 24, 14).last == "kill job 12, Tri… [y/n]")
  }

  @Test func `nothing is ever larger than the terminal`() {
    var board = busy()
    board.active.items[0].model.job.title = "写真 📷 旅行の写真をまとめて書き出す"
    board.notice = "写真写真写真写真写真写真写真"
    board.log = ["写真写真写真写真写真写真写真", "x"].map { Line($0) }
    board.opened = board.active.items[0]
    for pane in [BoardPane.jobs, .keys, .job(JobNumber(3)), .log(JobNumber(4))] {
      board.pane = pane
      for columns in 1...120 {
        for rows in 1...16 {
          let lines = BoardView.frame(board, columns: columns, rows: rows).lines
          #expect(lines.count <= rows)
          for line in lines { #expect(line.width <= max(1, columns - 1), "\(columns)×\(rows)") }
        }
      }
    }
  }

  @Test func `only the rows that changed are written`() {
    var screen = FullScreen(colour: false)
    let first = [Line("one"), Line("two")]
    let whole = screen.show(first, cursor: 0, columns: 20, rows: 2)
    #expect(whole?.contains("one") == true && whole?.contains("two") == true)
    let again = screen.show(first, cursor: 0, columns: 20, rows: 2)
    #expect(again == nil)
    let change = screen.show([Line("one"), Line("2")], cursor: 1, columns: 20, rows: 2)
    #expect(change == "\u{1B}[2;1H2\u{1B}[K\u{1B}[2;1H")
    let resized = screen.show([Line("one"), Line("2")], cursor: 1, columns: 30, rows: 2)
    #expect(resized?.hasPrefix("\u{1B}[H\u{1B}[2J") == true)
  }
}
