import Foundation
import JobWire
import TestKit
import Testing

/// The number of slots, and the settings that are read while the runner runs.
@Suite struct SlotsTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1)
  }

  private var file: String { workshop.sandbox.home + "/config.json" }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  private func gated() throws {
    try workshop.jobrun(
      "run", "--detach", "--", "sh", "-c", "echo > \"$READY.$JOBRUN_JOB\"; read x < \"$GATE\"")
  }

  @Test func `more slots start what waits at once, and the file follows with its comments`() throws
  {
    try write("{\n  // one at a time\n  \"slots\": 1\n}\n")
    try gated()
    try gated()
    try workshop.awaitReady(1)
    #expect(
      try workshop.jobrun("slots").output
        == "1 slot, 1 taken; with all groups, 1 running and 1 waiting\n")
    #expect(try workshop.jobrun("slots", "2").status == 0)
    try workshop.awaitReady(2)
    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == "{\n  // one at a time\n  \"slots\": 2\n}\n")
    #expect(
      try workshop.jobrun("slots").output
        == "2 slots, 2 taken; with all groups, 2 running and 0 waiting\n")
    let json = try workshop.jobrun("slots", "1", "--json").output
    #expect(json == "{\"slots\":1,\"used\":2,\"running\":2,\"queued\":0}\n")
    #expect(try workshop.show(1).state == .running)
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test(arguments: ["0", "x", "-1", "4097", "2.5", "+3", "03"])
  func `what is no number of slots is refused and changes nothing`(_ word: String) throws {
    let refused = try workshop.jobrun("slots", "--", word)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("a whole number from 1 to 4096"), "\(refused.errors)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{\"slots\": 1}")
  }

  @Test func `without a runner and without a file the number is kept for the next one`() throws {
    try FileManager.default.removeItem(atPath: file)
    #expect(try workshop.jobrun("slots", "7").output == "7 slots\n")
    #expect(try workshop.jobrun("list").status == 0)
    #expect(try workshop.jobrun("slots").output.hasPrefix("7 slots"))
  }

  @Test func `a link to the settings stays a link`() throws {
    try workshop.sandbox.write("{\"slots\": 1}", to: "dotfiles/config.json")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: file, withDestinationPath: workshop.sandbox.path("dotfiles/config.json"))
    try gated()
    try gated()
    try workshop.jobrun("slots", "2")
    try workshop.awaitReady(2)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file).hasSuffix(
        "dotfiles/config.json"))
    try gated()
    try workshop.sandbox.write("{\"slots\": 3}", to: "dotfiles/config.json")
    try workshop.awaitReady(3)
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `a changed file counts at once, a broken one is told and changes nothing`() throws {
    try gated()
    try gated()
    try gated()
    try workshop.awaitReady(1)
    try write("{\"slots\": 2}")
    try workshop.awaitReady(2)
    let log = workshop.sandbox.home + "/state/runner.log"
    try write("{\"slots\": 3,")
    try WaitFor.file(log, contains: "the previous settings stay in force")
    // The commands read the file, too, and say so; none is kept from the jobs of this runner.
    for verb in [
      ["show", "3"], ["cancel", "1"], ["wait", "1"], ["log", "2"], ["list"],
      ["runner", "pause"], ["runner", "resume"],
    ] {
      let told = try workshop.sandbox.run("jobrun", verb, environment: workshop.environment)
      #expect(told.status == (verb[0] == "wait" ? 130 : 0), "\(verb): \(told.errors)")
      #expect(told.errors.contains("config.json:1: "), "\(verb): \(told.errors)")
      #expect(told.errors.contains("the runner keeps the settings from before"))
    }
    // Where definitions are is not known.
    #expect(try workshop.jobrun("submit", "gated", "--detach").status == 78)
    try write("{\"slots\": 3}")
    try workshop.awaitReady(3)
    #expect(try !workshop.jobrun("runner", "status").output.contains("previous settings stay"))
    try workshop.jobrun("cancel", "--all", "--now")
  }
}
