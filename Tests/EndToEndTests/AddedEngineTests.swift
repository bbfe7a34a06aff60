import Foundation
import TestKit
import Testing

/// `jobrun engines add`.
@Suite struct AddedEngineTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try Data(Self.before.utf8).write(to: URL(fileURLWithPath: file))
  }

  private static let before = """
    {
      // Two at a time.
      "slots": 2,
      "engines": {
        "tower": {"kind": "host", "slots": 3} // the old one
      }
    }

    """

  private var file: String { workshop.sandbox.home + "/config.json" }

  private func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  @Test func `the flags answer, and comments and other fields stay`() throws {
    let added = try workshop.jobrun(
      "engines", "add", "attic", "--kind", "host", "--through", "attic.local")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output == "attic is in config.json; jobrun engines check attic tries it\n")
    #expect(
      try text() == """
        {
          // Two at a time.
          "slots": 2,
          "engines": {
            "attic": {
              "kind": "host",
              "through": "attic.local"
            },
            "tower": {"kind": "host", "slots": 3} // the old one
          }
        }

        """)
    let listed = try workshop.jobrun("engines").output
    #expect(listed.contains("attic: host through attic.local, at most 2 at a time"), "\(listed)")
  }

  @Test func `on a terminal it asks, and asks again for what makes no sense`() throws {
    let terminal = try Pseudoterminal(columns: 100)
    let command = try workshop.start("engines", "add", "grid", on: terminal)
    try terminal.read(until: "What is it?")
    try terminal.send("cluster\r")
    try terminal.read(until: "\"cluster\" is not one of the possible answers")
    try terminal.send("batch\r")
    try terminal.read(until: "Which batch system?")
    try terminal.send("gridengin\r")
    try terminal.read(until: "did you mean gridengine?")
    try terminal.send("gridengine\r")
    try terminal.read(until: "Its login node")
    try terminal.send("\r")
    try terminal.read(until: "Which folder do all nodes see")
    try terminal.send("jobs\r")
    try terminal.read(until: "an absolute path is needed")
    try terminal.send("/home/me/jobs\r")
    try terminal.read(until: "grid is in config.json")
    #expect(try command.wait().status == 0)
    let engines = try workshop.jobrun("engines", "--json").output
    #expect(engines.contains(#"{"engine":"grid","kind":"batch""#), "\(engines)")
    #expect(engines.contains(#""folder":"/home/me/jobs""#), "\(engines)")
    #expect(try text().contains("// the old one"))
  }

  @Test(arguments: [
    (["attic"], 64, "--kind is missing, and there is no terminal to ask on"),
    (["attic", "--kind", "slurm"], 64, "--folder is missing"),
    (["attic", "--kind", "batch", "--folder", "/f"], 64, "--preset is missing"),
    (["attic", "--kind", "slurm", "--folder", "f"], 64, "an absolute path is needed"),
    (["attic", "--kind", "host", "--through", "-x"], 64, "a host as ssh takes it is needed"),
    (["tower", "--kind", "host"], 73, "has an engine called tower already"),
    (["here", "--kind", "host"], 64, "is what this machine is called"),
    ([], 64, "engines add needs a name"),
  ])
  func `what makes no sense is refused, and changes nothing`(
    _ words: [String], _ code: Int32, _ sentence: String
  ) throws {
    let refused = try workshop.sandbox.run(
      "jobrun", ["engines", "add"] + words, environment: workshop.environment)
    #expect(refused.status == code, "\(refused)")
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
    #expect(try text() == Self.before)
  }
}
