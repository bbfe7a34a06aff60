import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Logs that would grow without end.
@Suite struct LogLimitTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try Data("{\"slots\": 2, \"logLimit\": \"1M\"}".utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  private func log(_ number: Int) -> String { workshop.sandbox.home + "/state/logs/\(number).log" }

  /// The log's size on the disk, in bytes.
  private func room(_ number: Int) throws -> Int {
    var status = stat()
    #expect(unsafe stat(log(number), &status) == 0)
    return Int(status.st_blocks) * 512
  }

  private static let mark = "bytes of output are left out here"

  /// Waits until a log is short enough and says so, which comes after the cut.
  private func awaitCut(_ number: Int) throws {
    try WaitFor.change(at: log(number), awaited: "a shorter log", within: Deadline.timeout) {
      () -> Bool? in
      let bytes = FileManager.default.contents(atPath: log(number)) ?? Data()
      let isMarked = bytes.range(of: Data(Self.mark.utf8)) != nil
      return isMarked && ((try? room(number)) ?? .max) <= 1 << 20 ? true : nil
    }
  }

  private func check(_ text: String, last: String) {
    #expect(text.hasPrefix("1\n2\n3\n"))
    #expect(text.hasSuffix("\n\(last)\n"))
    #expect(text.utf8.count <= 1 << 20)
    let marks = text.split(separator: "\n").filter { $0.contains(Self.mark) }
    #expect(marks.count == 1)
    #expect(!text.utf8.contains(0))
  }

  @Test func `head and tail of a long log are kept, the middle is marked, and the job goes on`()
    throws
  {
    let finished = try workshop.jobrun("run", "--", "sh", "-c", "seq 1000000; exit 3")
    #expect(finished.status == 3)
    check(try workshop.jobrun("log", "1").output, last: "1000000")
    #expect(try room(1) <= (1 << 20) + (64 << 10))
    let lines = try workshop.jobrun("log", "1", "--json").output.split(separator: "\n")
    #expect(try #require(lines.last).contains("\"text\":\"1000000\""))
  }

  @Test func `the log of a job that runs is cut, too, and who follows it goes on`() throws {
    let script = "seq 700000; echo > \"$READY.1\"; read x < \"$GATE\"; seq 700000 1400000; echo end"
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    let follower = try workshop.start("log", "1", "-f")
    try workshop.awaitRunning(1)
    try awaitCut(1)
    #expect(try workshop.show(1).state == .running)
    check(try workshop.jobrun("log", "1").output, last: "700000")
    let gate = try workshop.openGate()
    defer { gate.signal(9) }
    #expect(try follower.wait().output.hasSuffix("\n1400000\nend\n"))
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    check(try workshop.jobrun("log", "1").output, last: "end")
  }

  @Test func `progress is recognised in the tail of a log that was cut`() throws {
    let script = "seq 700000; echo '[5/9] x'; echo > \"$READY.1\"; read x < \"$GATE\""
    try workshop.jobrun("run", "--detach", "--", "sh", "-c", script)
    try workshop.awaitReady(1)
    try awaitCut(1)
    #expect(try workshop.show(1).progress?.completed == 5)
    try workshop.jobrun("cancel", "1")
  }

  @Test func `a definition may have a limit of its own, and a small one is refused`() throws {
    try workshop.define("wordy", "seq 1000000", ", \"logLimit\": \"3M\"")
    let job = try workshop.submit("wordy")
    #expect(try workshop.waitForEnd(job.number.value).outcome == .succeeded)
    let size = try workshop.jobrun("log", "1").output.utf8.count
    #expect(size > 1 << 20 && size <= 3 << 20)
    try workshop.define("tiny", "true", ", \"logLimit\": \"10K\"")
    let refused = try workshop.jobrun("submit", "tiny")
    #expect(refused.status != 0)
    #expect(
      refused.errors.contains("\"logLimit\" is 10240 bytes; 1M is the minimum"),
      "\(refused.errors)")
  }

  @Test func `one log does not fill a small disk`() throws {
    let disk = try SmallDisk(workshop, size: "16m")
    try disk.run("printf '{\"slots\": 2}' > \"$JOBRUN_HOME/config.json\"")
    // More than the disk has, each piece once it has room, which only a shorter log makes.
    let script = #"""
      for i in $(seq 16); do
        while [ $(($(stat -f -c "%a * %S" "$JOBRUN_HOME"))) -lt 2000000 ]; do
          echo waiting; sleep 0.05
        done
        seq 200000
      done
      """#
    let finished = try disk.run("jobrun run -- sh -c '\(script)'")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try disk.run("jobrun log 1 | tail -n 1").output == "200000\n")
  }

  @Test func `a line stands between two attempts`() throws {
    let script = "printf \"attempt $JOBRUN_ATTEMPT\"; test $JOBRUN_ATTEMPT = 3"
    try workshop.jobrun("run", "--retries", "2:10ms", "--", "sh", "-c", script)
    let lines = try workshop.jobrun("log", "1").output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0] == "attempt 1" && lines[2] == "attempt 2" && lines[4] == "attempt 3")
    #expect(lines[1].hasPrefix("jobrun: attempt 2 begins, 20"))
    #expect(lines[3].hasPrefix("jobrun: attempt 3 begins, 20"))
  }

  @Test func `the runner's own log says when`() throws {
    try workshop.jobrun("list")
    try workshop.jobrun("runner", "stop")
    let text = try WaitFor.file(
      workshop.sandbox.home + "/state/runner.log", contains: "jobrund: left")
    let line = try #require(text.split(separator: "\n").last { $0.contains("jobrund: left") })
    let time = try #require(line.split(separator: " ").first)
    #expect(WallTime(String(time)) != nil)
  }
}
