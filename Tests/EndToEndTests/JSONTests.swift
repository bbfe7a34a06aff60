import JobCore
import JobWire
import TestKit
import Testing

/// `jobrun` for programs: every verb prints objects, and nothing else.
@Suite struct JSONTests {
  /// The members of each line; records an issue for a line that is no object.
  private func objects(_ text: String) -> [[String: JSONValue]] {
    text.split(separator: "\n").compactMap { line in
      guard let value = try? JSONReader.value(of: Array(line.utf8)[...]),
        case .object(let members) = value
      else {
        Issue.record("no object: \(line)")
        return nil
      }
      return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
    }
  }

  @Test func `every verb prints objects with json`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "echo one; printf two")
    try workshop.defineGated("gated", ", \"grace\": \"0s\"")
    _ = try workshop.submit("quick")
    try workshop.waitForEnd(1)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(2)
    let bundle = workshop.sandbox.path("jobs")
    let cases: [(words: [String], lines: Int?, key: String)] = [
      (["list"], 1, "number"), (["pending"], 0, ""), (["history"], 1, "number"),
      (["usage"], 1, "cpuSeconds"),
      (["show", "1"], 1, "stateDirectory"), (["log", "1"], 2, "text"),
      (["log", "1", "-f"], 2, "line"), (["wait", "1"], 1, "outcome"),
      (["attach", "1"], 2, ""), (["submit", "quick", "--detach"], 1, "after"),
      (["run", "--", "true"], nil, ""), (["jobs"], nil, "command"),
      (["register", bundle], 2, "folder"), (["new", "hello"], 1, "folder"),
      (["resources"], 1, "slots"), (["runner", "status"], 1, "slots"),
      (["simulate", "stall", "2"], 1, "prompt"), (["continue", "2"], 1, "state"),
      (["cancel", "2"], 1, "stopReason"), (["wait", "2"], 1, "stopReason"),
      (["redo", "2"], 1, "attempt"), (["cancel", "2", "--now"], 1, "state"),
      (["forget", "1"], 1, "title"), (["help"], nil, "usage"), (["help", "wait"], 1, "flags"),
      (["submit", "--help"], 1, "examples"), (["completions", "fish"], 1, "script"),
      (["completions", "fish", "--", "submit", "--strategy", ""], 2, "word"),
      (["runner", "restart"], 1, "done"), (["runner", "stop"], 1, "action"),
    ]
    for (words, lines, key) in cases {
      let flagged = [words[0], "--json"] + words.dropFirst()
      let finished = try workshop.sandbox.run(
        "jobrun", flagged, environment: workshop.environment)
      let found = objects(finished.output)
      if let lines { #expect(found.count == lines, "\(words): \(finished.output)") }
      if !key.isEmpty, lines != 0 {
        #expect(found.first?[key] != nil, "\(words): \(finished.output)")
      }
      #expect(found.allSatisfy { $0["error"] == nil }, "\(words): \(finished.output)")
    }
  }

  @Test func `every error is an object as well`() throws {
    let workshop = try Workshop()
    let cases: [(words: [String], code: ErrorCode)] = [
      (["show", "9"], .notFound), (["cancel", "9"], .notFound), (["nonsense"], .usage),
      (["wait"], .notFound), (["submit", "nothing"], .notFound),
      (["list", "--format", "x"], .usage),
      (["run", "--after", "9", "--", "true"], .notFound), (["help", "nothing"], .usage),
      (["progress", "--strict"], .usage), (["register", "/nowhere"], .notFound),
      (["run", "--require", "gpu=64", "--", "true"], .unavailable),
    ]
    for (words, code) in cases {
      let flagged = [words[0], "--json"] + words.dropFirst()
      let finished = try workshop.sandbox.run("jobrun", flagged)
      #expect(finished.status == code.exitCode, "\(words): \(finished.errors)")
      let found = objects(finished.output)
      #expect(found.count == 1, "\(words): \(finished.output)")
      guard case .object(let members)? = found.first?["error"] else {
        Issue.record("\(words): \(finished.output)")
        continue
      }
      #expect(members.map(\.name) == ["code", "message"])
      #expect(members.first?.value == .string(code.rawValue), "\(words)")
      #expect(finished.errors.hasPrefix("jobrun: "))
    }
  }

  @Test func `a program that submits is told of the progress`() throws {
    let workshop = try Workshop()
    try workshop.define(
      "counting",
      """
      for n in 1 2 3; do jobrun progress --total 3 --completed $n --json; done
      read line < "$GATE"
      """)
    let submitting = try workshop.start("submit", "counting", "--json")
    try submitting.wait(for: "\"event\":\"progress\"")
    let opened = try workshop.openGate()
    defer { opened.signal(15) }
    let finished = try submitting.wait()
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(objects(finished.output).contains { $0["event"] == .string("progress") })
    let log = objects(try workshop.jobrun("log", "1").output)
    #expect(log.map { $0["completed"] } == [.natural(1), .natural(2), .natural(3)])
  }
}
