import JobCore
import JobWire
import Testing

@testable import jobrun

/// A screen of 80 columns.
private final class Screen {
  private var screen = LiveScreen(colour: false)

  @discardableResult
  func show(_ lines: String..., width: Int = 80) -> String? {
    screen.show(lines.map { Line($0) }, width: width)
  }

  func say(_ text: String) -> String { screen.say(text, width: 80) }
  func clear() -> String { screen.clear(width: 80) }
}

/// The output to a terminal, byte for byte.
struct LiveScreenTests {
  private let erase = "\r\u{1B}[J"

  @Test func `nothing is written when nothing changed`() {
    let screen = Screen()
    #expect(screen.show("one") == "one")
    #expect(screen.show("one") == nil)
    #expect(screen.show("two") == erase + "two")
  }

  @Test func `a sentence comes above the line, which stays`() {
    let screen = Screen()
    screen.show("one")
    #expect(screen.say("said\r\n") == erase + "said\r\none")
    #expect(screen.clear() == erase)
    #expect(screen.clear() == "")
  }

  @Test func `several lines are replaced together`() {
    let screen = Screen()
    #expect(screen.show("one", "two") == "one\r\ntwo")
    #expect(screen.show("one") == "\u{1B}[1A" + erase + "one")
  }

  @Test func `a line that a narrower terminal has broken is removed whole`() {
    let screen = Screen()
    screen.show(String(repeating: "x", count: 79))
    #expect(screen.show("y", width: 40) == "\u{1B}[1A" + erase + "y")
  }
}

/// The output without a line that can change in place.
struct SparseReportTests {
  @Test func `states are said once, progress every tenth`() {
    var report = SparseReport()
    var model = JobViewModel(Sample.job())
    var said: [String] = []
    for done in 0...100 as ClosedRange<UInt64> {
      model.job.progress = JobProgress(completed: done, total: 100)
      said += report.lines(model, at: Instant(nanoseconds: done * 10_000_000))
    }
    #expect(said.count == 11)
    #expect(said.first == "12 Trip 2026: running")
    #expect(said.last == "12 Trip 2026: 100 %  100/100")
  }

  @Test func `a slow job is heard of every half minute`() {
    var report = SparseReport()
    var model = JobViewModel(Sample.job())
    model.job.progress = JobProgress(completed: 1, total: 100)
    var said: [String] = []
    for second in 0...90 as ClosedRange<UInt64> {
      said += report.lines(model, at: Instant(nanoseconds: second * 1_000_000_000))
    }
    #expect(said.count == 4)
  }

  @Test func `a question names the command that answers it`() {
    var report = SparseReport()
    var job = Sample.job(.stalled)
    job.prompt = JobStatus.Prompt(question: "?", since: Sample.now.wall)
    let said = report.lines(JobViewModel(job), at: Sample.now.awake)
    #expect(
      said == [
        "12 Trip 2026: stalled; answer with jobrun continue 12, or jobrun continue 12 --no"
      ])
  }
}
