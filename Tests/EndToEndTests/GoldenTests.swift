import Foundation
import TestKit
import Testing

/// The bytes on the wire, in the feed and in the store of one run in which a bit of everything happens.
///
/// `JOBRUN_RECORD_GOLDEN=1` writes the files anew, for changes that are meant.
@Suite struct GoldenTests {
  private let run: GoldenRun

  init() throws { run = try GoldenRun() }

  @Test func `wire, feed and store say byte for byte what they always said`() throws {
    try startAndQueue()
    try replaceAndRefuse()
    try restartAndEnd()
    try reportProgress()
    try redoAndStop()
    try host()
    try endAll()
    try run.ask("\"op\":\"list\",\"all\":true", lines: 14)
    #expect(try run.replayed() == run.told)
    try compare(run.wire, "wire")
    try compare(run.told, "feed")
    try compare(try run.stored(), "store")
  }

  /// One runs, others wait, and the same key is the same job.
  private func startAndQueue() throws {
    let reading = "read line < \(try run.gate("one")); exit 7"
    try run.submit("1", "one", running: reading)
    try run.await("started", of: 1)
    try run.submit("1", "one", running: reading)
    try run.submit("2", "two", ",\"subtitle\":\"waits\",\"retries\":1", running: "exit 0")
    try run.submit(
      "3", "three", ",\"onEnd\":\"read line < \(try run.gate("end"))\",\"limitMs\":60000",
      running: "exit 0")
    try run.submit("4", "four", ",\"after\":[3],\"afterAny\":[1]", running: "exit 0")
    try run.submit(
      "5", "five",
      ",\"kind\":\"processing\",\"bundle\":\"org.example.golden\",\"limitMs\":60000,"
        + "\"notBefore\":\"2100-01-01T00:00:00.000Z\"",
      running: "read line < \(try run.gate("five")); exit 3")
    try run.ask("\"op\":\"list\"", lines: 6)
  }

  private func replaceAndRefuse() throws {
    try run.submit("6", "two", running: "exit 0")
    try run.submit("7", "one", ",\"ifExists\":\"keep\"", running: "exit 0")
    try run.submit("8", "one", running: "exit 0")
    try run.submit("9", "nine", ",\"strategy\":\"fail\"", running: "exit 0")
    try run.submit("a", "ten", ",\"after\":[99]", running: "exit 0")
    try run.submit("2", "two", running: "exit 0")
    try run.ask("\"op\":\"show\",\"ref\":\"2\"")
    try run.ask("\"op\":\"show\",\"ref\":\"org.example.golden.two\"")
    try run.ask("\"op\":\"withdraw\",\"ref\":\"1\"")
    try run.ask("\"op\":\"answer\",\"ref\":\"1\",\"continue\":true")
    try run.await("submitted", of: 6)
  }

  /// A runner leaves, the next goes on; then one crashes, and the end is found by the next.
  private func restartAndEnd() throws {
    try run.changeRunner(killing: false)
    try run.ask("\"op\":\"follow\",\"refs\":[\"1\"]", lines: 2)
    try run.ask("\"op\":\"cancel\",\"ref\":\"6\"")
    try run.await("ended", of: 6)
    try run.changeRunner(killing: true) {
      try run.open("one")
      try WaitFor.file(run.workshop.sandbox.home + "/state/runs/1.1", contains: "ended")
    }
    try run.await("ended", of: 1)
    try run.await("ended", of: 4)
  }

  private func reportProgress() throws {
    let script = """
      read line < \(try run.gate("report"))
      printf '\\005\\0\\0\\0\\0\\0\\0\\0\\012\\0\\0\\0\\0\\0\\0\\0' |
        dd of="$JOBRUN_PAGE" bs=16 seek=4 conv=notrunc 2>/dev/null
      read line < \(try run.gate("advance"))
      exit 0
      """
    try run.submit("b", "page", running: script)
    try run.await("started", of: 7)
    try run.overhear("\"op\":\"feed\",\"progressHz\":10", until: "\"event\":\"progress\"") {
      try run.open("report")
    }
    try run.ask("\"op\":\"simulate\",\"what\":\"stall\",\"ref\":\"7\"")
    try run.await("prompt", of: 7)
    try run.ask("\"op\":\"answer\",\"ref\":\"7\",\"continue\":true")
    try run.open("advance")
    try run.await("ended", of: 7)
  }

  private func redoAndStop() throws {
    try run.ask("\"op\":\"redo\",\"ref\":\"3\"")
    try run.open("one")
    try run.ask("\"op\":\"redo\",\"ref\":\"1\"")
    try run.await("ended", of: 1)
    let gate = try run.gate("stop")
    try run.submit("c", "stop", running: "read line < \(gate)")
    try run.await("started", of: 8)
    try run.ask("\"op\":\"cancel\",\"ref\":\"8\"")
    try run.await("ended", of: 8)
    try run.ask("\"op\":\"cancel\",\"ref\":\"8\"")
    try run.submit("c", "stop", running: "exit 0")
    try run.submit("d", "running", ",\"kind\":\"continued\"", running: "read line < \(gate)")
    try run.await("started", of: 9)
    try run.submit("e", "running", ",\"ifExists\":\"replace\"", running: "exit 2")
    try run.await("ended", of: 10)
    try run.ask("\"op\":\"simulate\",\"what\":\"launch\",\"ref\":\"5\"")
    // One that ends at once may have no priority any more when its start is told.
    try run.await("started", of: 5)
    try run.open("five")
    try run.await("ended", of: 5)
    try run.ask("\"op\":\"forget\",\"ref\":\"8\"")
  }

  private func host() throws {
    let mark = "goldenhost000000"
    try run.ask("\"op\":\"host\",\"host\":\"\(mark)\",\"running\":[],\"waiting\":[]")
    try run.ask(
      "\"op\":\"submit\",\"job\":{\"key\":\"goldenkey0000000f\","
        + "\"identifier\":\"org.example.golden.hosted\",\"title\":\"Hosted\",\"speaksPage\":true,"
        + "\"host\":\"\(mark)\"}", lines: 2)
    try run.ask("\"op\":\"hostBegan\",\"number\":11,\"attempt\":1")
    try run.await("started", of: 11)
    try run.submit("g", "cancelled", running: "exit 0")
    try run.ask("\"op\":\"hostCompleted\",\"number\":11,\"attempt\":1", lines: 2)
    try run.await("ended", of: 12)
  }

  private func endAll() throws {
    try run.submit("h", "last", running: "read line < \(try run.gate("last"))")
    try run.await("started", of: 13)
    try run.submit("i", "waiting", running: "exit 0")
    try run.ask("\"op\":\"cancel\",\"all\":true", lines: 3)
    try run.await("ended", of: 13)
  }

  private func compare(_ lines: [String], _ name: String) throws {
    let path = BuiltProducts.packageRoot + "/Tests/EndToEndTests/Golden/\(name).txt"
    let text = lines.map { $0 + "\n" }.joined()
    if ProcessInfo.processInfo.environment["JOBRUN_RECORD_GOLDEN"] != nil {
      return try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    let golden = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    for (line, expected) in zip(lines, golden) where line != expected {
      Issue.record("\(name) says \(line)\nand not  \(expected)")
      return
    }
    #expect(lines.count == golden.count, "\(name)")
  }
}
