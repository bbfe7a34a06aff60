import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// How far jobs were at which time: the file, `show` and `report`.
@Suite struct TraceTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
  }

  private func path(_ number: UInt64) -> String {
    "\(workshop.sandbox.home)/state/logs/\(number).trace"
  }

  private func trace(_ number: UInt64) throws -> ProgressTrace {
    try #require(ProgressTrace(text: try String(contentsOfFile: path(number), encoding: .utf8)))
  }

  /// In a job: waits until the runner knows that it runs, which is when its trace begins to count.
  private static let begin = "jobrun wait --until running \"$JOBRUN_JOB\""

  /// Two steps of four, a kill, the rest; sampled after each, later than the shortest trace.
  private func runTwice() throws {
    try workshop.define(
      "steps",
      """
      jobrun progress --total 4
      \(Self.begin)
      sleep 1.1
      if [ "$JOBRUN_ATTEMPT" = 1 ]; then
        jobrun progress --advance 2
        jobrun list >/dev/null
        kill -9 $$
      fi
      jobrun progress --completed 4
      """, ", \"retries\": 1")
    _ = try workshop.submit("steps")
  }

  @Test func `a job's trace has its attempts, their ends, and goes with it`() throws {
    try runTwice()
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .succeeded && job.attempt == 2)
    let points = try trace(1).points
    #expect(points.filter { $0.mark == .ended }.map(\.attempt) == [1, 2])
    #expect(points.filter { $0.mark == .ended }.map(\.completed) == [2, 4])
    try workshop.jobrun("forget", "1")
    try WaitFor.noFile(path(1))
  }

  @Test func `what is over at once, and what tells no progress, leaves none`() throws {
    try workshop.jobrun("run", "--", "true")
    try workshop.jobrun("run", "--", "sleep", "1.2")
    for number in 1...2 {
      #expect(!FileManager.default.fileExists(atPath: path(UInt64(number))))
    }
  }

  @Test func `of what tells no progress it has the pauses, which are no curve`() throws {
    try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    for verb in ["pause", "resume", "cancel"] { try workshop.jobrun(verb, "1") }
    _ = try workshop.waitForEnd(1)
    let marks = try trace(1).points.map(\.mark)
    #expect(marks == [.paused, .resumed, .stopping, .ended])
    #expect(try workshop.jobrun("report", "1").output.contains("No progress was recorded."))
  }

  @Test func `a report of which somebody reads only the beginning is no failure`() throws {
    try workshop.jobrun("run", "--", "true")
    let shell = try workshop.sandbox.run(
      "bash", ["-o", "pipefail", "-c", "jobrun report | true"], environment: workshop.environment)
    #expect((shell.status, shell.errors) == (0, ""))
  }

  @Test func `a question and its answer are in it`() throws {
    try workshop.define(
      "still",
      """
      jobrun progress --total 10 --completed 3
      \(Self.begin)
      sleep 1.1
      echo "$JOBRUN_JOB" > "$READY.$JOBRUN_JOB"
      read line < "$GATE"
      """)
    _ = workshop.gate
    _ = try workshop.submit("still")
    try workshop.awaitReady(1)
    try workshop.jobrun("show", "1")
    try workshop.jobrun("simulate", "stall", "1")
    try workshop.jobrun("continue", "1")
    #expect(try trace(1).points.compactMap(\.mark) == [.stalled, .answered])
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
    try workshop.jobrun("cancel", "1")
    try workshop.waitForEnd(1)
    // The next runner continues it.
    #expect(
      try trace(1).points.compactMap(\.mark) == [.stalled, .answered, .stopping, .ended])
  }

  @Test func `show draws the curve in a terminal, and nowhere else`() throws {
    try runTwice()
    try workshop.waitForEnd(1)
    let terminal = try Pseudoterminal(columns: 100, rows: 60)
    let shown = try workshop.start("show", "1", on: terminal)
    let text = try terminal.read(until: "attempt 2")
    _ = try shown.wait()
    #expect(text.contains("100 % ") && Self.hasDots(text))
    #expect(!Self.hasDots(try workshop.jobrun("show", "1").output))
  }

  /// Dots of braille.
  private static func hasDots(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value > 0x2800 && $0.value < 0x2900 }
  }

  @Test func `a report is one file with pictures, without a script or anything from elsewhere`()
    throws
  {
    try runTwice()
    _ = try workshop.jobrun("run", "--title", "<script>alert(1)</script>", "--", "false")
    try workshop.waitForEnd(1)
    let page = try workshop.jobrun("report").output
    #expect(page.contains("<polyline class=\"line\""))
    #expect(page.contains("<li>") && page.contains("attempt 2</li>"))
    #expect(!page.contains("<script") && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!page.contains("http"))
    let one = try workshop.jobrun("report", "1").output
    #expect(one.contains("<title>Job 1: ") && !one.contains("&lt;script"))
    let lines = try workshop.jobrun("report", "1", "1", "--json").output.split(separator: "\n")
    let object = try JSONSerialization.jsonObject(with: Data(try #require(lines.first).utf8))
    let points = (object as? [String: Any])?["points"] as? [[String: Any]]
    #expect(lines.count == 1 && points?.last?["mark"] as? String == "ended")
    #expect(points?.last?["fraction"] as? Double == 1)
  }

  @Test func `a job that never started has a picture with the reason`() throws {
    try workshop.jobrun("runner", "pause")
    _ = try workshop.jobrun("run", "--detach", "--", "true")
    #expect(try workshop.jobrun("report", "1").output.contains("Never started: it waits: "))
    try workshop.jobrun("cancel", "1")
    try workshop.waitForEnd(1)
    let page = try workshop.jobrun("report", "1").output
    #expect(page.contains("<svg") && page.contains("Never started: "))
    _ = try workshop.jobrun("run", "--detach", "--not-before", "2999-01-01T00:00:00Z", "--", "true")
    let later = try workshop.jobrun("report", "2").output
    #expect(later.contains("Never started: it waits until 2999-01-01 "), "\(later)")
  }

  @Test func `a report of a group has all of its jobs and no others`() throws {
    try workshop.jobrun(
      "each", "--group", "render", "--title", "Frame", "--", "true", ":::", "1", "2")
    try workshop.jobrun("run", "--title", "Other", "--", "true")
    let page = try workshop.jobrun("report", "group:render").output
    #expect(page.contains("<h1>Group render on ") && page.contains("2 succeeded"))
    #expect(!page.contains("Other"))
    for words in [[], ["--since", "2h"]] {
      let numbers = try workshop.sandbox.run(
        "jobrun", ["report", "group:render", "--json"] + words
      ).output
      #expect(numbers.split(separator: "\n").count == 2)
    }
  }

  @Test func `the jobs of one submission are one line and one picture, which opens`() throws {
    try workshop.jobrun(
      "each", "--title", "Frame {}", "--", "sh", "-c", "test {} != 3 && sleep 0.6", ":::", "1",
      "2", "3", "4", "5", "6")
    try workshop.jobrun("run", "--title", "Alone", "--", "true")
    let page = try workshop.jobrun("report").output
    let heads = page.matches(of: /<h2><span class="number">(.+?)<\/span> <bdi>(.+?)<\/bdi>/)
      .map { "\($0.1) \($0.2)" }
    // The newest comes first, and in a batch what failed.
    #expect(
      heads == [
        "7 Alone", "1–6 Frame …", "3 Frame 3", "1 Frame 1", "2 Frame 2", "4 Frame 4", "5 Frame 5",
        "6 Frame 6",
      ])
    #expect(page.contains("<span class=\"chip bad\">5 succeeded, 1 failed</span>"))
    #expect(page.ranges(of: "<details>").count == 1)
    #expect(page.contains("aria-label=\"How many of 6 jobs had ended at which time\""))
  }

  @Test func `what cannot be reported is said in one sentence`() throws {
    // Without the program's own texts.
    try workshop.jobrun("each", "--group", "json", "--", "true", ":::", "1")
    #expect(try workshop.jobrun("report", "group:json").output.contains("<title>Group json on "))
    let group = try workshop.jobrun("report", "group:absent")
    #expect(group.status == 66 && group.errors.contains("no job of group absent"), "\(group)")
    let mixed = try workshop.jobrun("report", "group:absent", "1")
    #expect(mixed.status == 64 && mixed.errors.contains("is reported alone"), "\(mixed)")
    let both = try workshop.jobrun("report", "1", "--since", "2h")
    #expect(both.status == 64 && both.errors.contains("--since chooses jobs by their end"))
    let none = try workshop.jobrun("report", "77")
    #expect(none.status == 66, "\(none)")
    let when = try workshop.jobrun("report", "--since", "someday")
    #expect(when.status == 64 && when.errors.contains("someday"))
  }
}
