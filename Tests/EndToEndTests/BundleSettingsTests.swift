import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// The user's settings for a bundle, on the command line, in the file and in a running runner.
@Suite struct BundleSettingsTests {
  private let workshop: Workshop
  private let bundle = "org.example.workshop"

  init() throws {
    workshop = try Workshop(slots: 3, capabilities: #"["gpu", "network"]"#)
    try workshop.defineGated("work")
    try workshop.define("fetch", "true", ", \"kind\": \"refresh\"")
    try workshop.define("send", "true", ", \"requires\": [\"network\"]")
  }

  private func settings(_ words: String...) throws -> ChildProcess.Finished {
    try workshop.sandbox.run(
      "jobrun", ["settings"] + words, environment: workshop.environment)
  }

  @Test func `background work that is off is refused at once, and taken again`() throws {
    #expect(try workshop.jobrun("schedule", "fetch", "--earliest", "+1h").status == 0)
    let set = try settings("set", bundle, "background=no")
    #expect(set.status == 0 && set.output == "\(bundle)  background=no\n", "\(set)")
    let refused = try workshop.jobrun("schedule", "fetch", "--json")
    #expect(refused.status == 69)
    #expect(refused.output.contains("\"code\":\"unavailable\""), "\(refused)")
    #expect(refused.errors.contains("jobrun settings set \(bundle) background=yes"))
    #expect(try workshop.submit("work").state != .ended)
    #expect(try settings("unset", bundle).output == "\(bundle)  nothing is set\n")
    try workshop.jobrun("cancel", "1")
    #expect(try workshop.jobrun("schedule", "fetch").status == 0)
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `a file that changes counts at once, and what runs goes on`() throws {
    _ = try workshop.submit("work")
    _ = try workshop.submit("work")
    for number: UInt64 in 1...2 { try workshop.awaitRunning(number) }
    let file = URL(fileURLWithPath: workshop.sandbox.home + "/config.json")
    try Data(#"{"slots": 3, "settings": {"org.example.workshop": {"slots": 1}}}"#.utf8)
      .write(to: file)
    try WaitFor.file(workshop.sandbox.home + "/state/runner.log", contains: "were read again")
    let third = try workshop.submit("work")
    #expect(third.pendingReason?.message.contains("the only slot that \(bundle)") ?? false)
    #expect(try workshop.show(1).state == .running)
    #expect(try settings("set", bundle, "slots=3").status == 0)
    try workshop.awaitReady(3)
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `a file that is only being replaced lifts nothing`() throws {
    let file = workshop.sandbox.home + "/config.json"
    let text = try Data(contentsOf: URL(fileURLWithPath: file))
    let log = workshop.sandbox.home + "/state/runner.log"
    _ = try workshop.submit("work")
    let limit = Deadline()
    var span = Duration.seconds(1)
    repeat {
      // If the runner took it for removed, it has read it again now, and this is in its log.
      #expect(try workshop.jobrun("slots").output.hasPrefix("3 slots"))
      span = try ContinuousClock().measure {
        try FileManager.default.removeItem(atPath: file)
        #expect(try workshop.jobrun("slots").status == 0)
        try text.write(to: URL(fileURLWithPath: file))
      }
      // On a machine that is busy it was gone for long.
    } while span > .milliseconds(900) && !limit.hasPassed
    try #require(span < .milliseconds(900))
    let before = try String(contentsOfFile: log, encoding: .utf8)
    #expect(try workshop.jobrun("slots").output.hasPrefix("3 slots"))
    #expect(try String(contentsOfFile: log, encoding: .utf8) == before)
    try FileManager.default.removeItem(atPath: file)
    try WaitFor.file(log, contains: "were read again")
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `what stands beside a setting in the file stays, comments too`() throws {
    let file = workshop.sandbox.home + "/config.json"
    try Data(
      """
      {"slots": 3, "settings": {
        // kept small
        "org.one": { // noisy
          "slots": 1, "gpu": false}, "org.two": {"background": false}
      }}
      """.utf8
    ).write(to: URL(fileURLWithPath: file))
    #expect(try settings("set", "org.one", "slots=2", "network=no").status == 0)
    #expect(try settings("unset", "org.one", "gpu").status == 0)
    #expect(
      try settings("list").output == "org.one  slots=2 network=no\norg.two  background=no\n")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("// kept small\n") && text.contains("// noisy\n"), "\(text)")
    #expect(try settings("unset", "org.one").output == "org.one  nothing is set\n")
    #expect(try settings("unset", "org.two").status == 0)
    #expect(try settings("list").output.isEmpty)
  }

  @Test func `commands that change the file at once all count`() throws {
    let started = try (1...8).map {
      try workshop.start("settings", "set", "org.b\($0)", "slots=\($0)")
    }
    for command in started { #expect(try command.wait().status == 0) }
    let listed = try settings("list").output.split(separator: "\n")
    #expect(listed.count == 8, "\(listed)")
  }

  @Test func `a program is told that its background work is off`() throws {
    let program = try HostingProgram(in: workshop)
    try program.tell("status")
    try program.says("status available")
    #expect(try settings("set", bundle, "background=no").status == 0)
    try program.tell("status")
    try program.says("status denied")
  }

  @Test func `what a bundle may do outlives the runner`() throws {
    #expect(try settings("set", bundle, "network=no").status == 0)
    #expect(try workshop.jobrun("submit", "send", "--detach").status == 69)
    try workshop.jobrun("runner", "restart")
    #expect(try workshop.jobrun("submit", "send", "--detach").status == 69)
  }

  @Test func `a job gets no higher priority than its bundle may have`() throws {
    #expect(try settings("set", bundle, "priority=low").output == "\(bundle)  priority=low\n")
    _ = try workshop.submit("work")
    _ = try workshop.submit("work", "--hold", "--priority", "high")
    #expect(try workshop.show(1).terms.priority == .low)
    #expect(try workshop.show(2).terms.priority == .low)
    try workshop.jobrun("edit", "2", "--priority", "high")
    #expect(try workshop.show(2).terms.priority == .low)
    #expect(try settings("unset", bundle).status == 0)
    try workshop.jobrun("edit", "2", "--priority", "high")
    #expect(try workshop.show(2).terms.priority == .high)
    // All files that were made for it are gone.
    #expect(
      try String(contentsOfFile: workshop.sandbox.home + "/config.json", encoding: .utf8)
        == "{\"slots\": 3}")
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `nor does one that is tried again`() throws {
    try workshop.define("bad", "exit 1")
    _ = try workshop.submit("bad", "--priority", "high")
    #expect(try workshop.waitForEnd(1).terms.priority == .high)
    #expect(try settings("set", bundle, "priority=low").status == 0)
    try workshop.jobrun("redo", "1")
    #expect(try workshop.waitForEnd(1).attempt == 2)
    #expect(try workshop.show(1).terms.priority == .low)
  }

  @Test func `settings of a bundle that nobody knows are kept, with a warning`() throws {
    let set = try settings("set", "org.example.other", "gpu=no", "slots=2")
    #expect(set.status == 0)
    #expect(set.errors.contains("no bundle org.example.other is known here"), "\(set.errors)")
    let listed = try settings("--json")
    #expect(
      listed.output
        == #"{"bundle":"org.example.other","known":false,"background":null,"slots":2,"gpu":false,"network":null,"priority":null,"budget":null}"#
        + "\n")
    let text = try String(
      contentsOfFile: workshop.sandbox.home + "/config.json", encoding: .utf8)
    #expect(
      text.filter { !$0.isWhitespace }.contains(#""org.example.other":{"slots":2,"gpu":false}"#),
      "\(text)")
  }

  @Test(arguments: [
    (["sett"], "\"sett\" is not something to do with settings; did you mean set?"),
    (["set"], "needs the identifier of a bundle"),
    (["set", "org..b", "gpu=no"], "has two dots in a row"),
    (["set", "org.b"], "needs a setting, such as background=no"),
    (["set", "org.b", "gpu"], "gpu needs a value; write something like gpu=no"),
    (["set", "org.b", "gpu=maybe"], "gpu is \"maybe\"; it must be yes or no"),
    (
      ["set", "org.b", "priority=urgent"], "priority is \"urgent\"; it must be high, normal or low"
    ),
    (["set", "org.b", "priority"], "priority needs a value; write something like priority=low"),
    (["set", "org.b", "slots=0"], "slots is \"0\"; it must be a whole number from 1 to 4096"),
    (["set", "org.b", "slot=1"], "\"slot\" is not a setting of a bundle; did you mean slots?"),
    (["list", "org.b"], "settings list takes no argument"),
  ])
  func `what makes no sense is said, and changes nothing`(words: [String], part: String) throws {
    let refused = try workshop.sandbox.run(
      "jobrun", ["settings"] + words, environment: workshop.environment)
    #expect(refused.status == 64)
    #expect(refused.errors.contains(part), "\(refused.errors)")
    #expect(
      try String(contentsOfFile: workshop.sandbox.home + "/config.json", encoding: .utf8)
        == "{\"slots\": 3}")
  }
}
