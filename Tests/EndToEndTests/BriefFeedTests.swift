import JobCore
import JobWire
import TestKit
import Testing

/// Progress for readers that have the rest of the job.
@Suite struct BriefFeedTests {
  @Test func `who asks for it is told only how far a job is, until more of it changes`() throws {
    let workshop = try ProtocolTests.workshop()
    try workshop.define(
      "steps",
      """
      echo "$JOBRUN_JOB" > "$READY.$JOBRUN_JOB"
      read line < "$GATE"
      jobrun progress --total 8 --completed 2
      read line < "$GATE"
      jobrun progress --title 'New words' --completed 3
      read line < "$GATE"
      """)
    let job = try workshop.submit("steps")
    try workshop.awaitReady(job.number.value)
    let brief = try ProtocolTests.RawClient(workshop)
    let usual = try ProtocolTests.RawClient(workshop)
    try brief.send("{\"v\":1,\"id\":1,\"op\":\"feed\",\"brief\":true}\n")
    try usual.send("{\"v\":1,\"id\":1,\"op\":\"feed\"}\n")
    _ = try (Self.next(.snapshot, of: brief), Self.next(.snapshot, of: usual))
    try Self.letGoOn(workshop)
    // The total is written first, and a look may come between the two.
    var completed: UInt64 = 0
    while completed < 2 {
      guard case .brief(job.number, let progress) = try Self.next(.progress, of: brief) else {
        Issue.record("the reader was told more than it asked for")
        return
      }
      completed = progress?.completed ?? 0
    }
    #expect(completed == 2)
    completed = 0
    while completed < 2 {
      guard case .progress(let whole) = try Self.next(.progress, of: usual) else {
        Issue.record("a reader that did not ask was told less")
        return
      }
      completed = whole.progress?.completed ?? 0
    }
    #expect(completed == 2)
    try Self.letGoOn(workshop)
    // The count may arrive before the texts.
    while true {
      guard case .progress(let told) = try Self.next(.progress, of: brief) else { continue }
      #expect(told.title == "New words" && told.progress?.completed == 3)
      return
    }
  }

  private static func letGoOn(_ workshop: Workshop) throws {
    #expect(try workshop.sandbox.run("sh", ["-c", "echo go > \"$0\"", workshop.gate]).status == 0)
  }

  private enum Kind { case snapshot, progress }

  /// The next line of its kind, skipping others.
  private static func next(_ kind: Kind, of client: ProtocolTests.RawClient) throws -> FeedLine {
    while true {
      guard case .feed(let line) = try RunnerLine(line: Array(client.line().utf8)[...]) else {
        continue
      }
      switch (line, kind) {
      case (.snapshot, .snapshot), (.progress, .progress), (.brief, .progress): return line
      default: continue
      }
    }
  }
}
