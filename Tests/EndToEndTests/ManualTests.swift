import Foundation
import TestKit
import Testing

/// The commands of the manual and the README, run as a reader would run them.
struct ManualTests {
  private static let folder = "Sources/jobrun/Manual"
  private static let pages =
    (try? FileManager.default.contentsOfDirectory(
      atPath: "\(BuiltProducts.packageRoot)/\(folder)"
    ).sorted().map { "\(folder)/\($0)" }) ?? []

  /// Stand-ins for a reader's programs: each exits with 0.
  private static let programs = [
    "make", "cargo", "rsync", "mysqldump", "blender", "render", "train", "simulate", "thumbnail",
    "check", "backup.sh", "convert", "count", "sum", "mail",
  ]

  @Test(arguments: pages + ["README.md"])
  func `every block of a page runs, one after the other`(_ page: String) throws {
    let scripts = try ShownCommands(in: Document(page).text).scripts
    let workshop = try workshop()
    for script in scripts {
      let finished = try workshop.sandbox.run(
        "sh", ["-ec", script], environment: ["PATH": path(of: workshop)])
      #expect(finished.status == 0, "\(script)\n\(finished)")
    }
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `what stands beside another program's command is accepted by jobrun`() throws {
    let rows = try Document("\(Self.folder)/others.md").text.split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    let commands = rows.flatMap { row in
      Document.code(in: String(row.dropLast().split(separator: " | ")[1]))
    }
    #expect(commands.count > 55)
    let workshop = try workshop()
    try workshop.sandbox.write("{\"command\": \"true\"}\n", to: "jobs.jsonl")
    try workshop.sandbox.write(#"{"resources": {"licence": 1}}"#, to: "../home/config.json")
    for _ in 1...5 { try workshop.jobrun("run", "-q", "--", "true") }
    for command in commands {
      let script = command.split(separator: "\\|").joined(separator: "|")
      let finished = try workshop.sandbox.run(
        "sh", ["-ec", script], environment: ["PATH": path(of: workshop)])
      // Which jobs there are, and how they ended, is different from line to line.
      #expect([0, 66, 69, 122].contains(finished.status), "\(command)\n\(finished)")
      try workshop.jobrun("cancel", "--all", "--now")
      // A command such as redo is for jobs that have ended.
      try workshop.jobrun("wait", "--all")
    }
  }

  @Test func `most blocks are run`() throws {
    let scripts = try Self.pages.flatMap { try ShownCommands(in: Document($0).text).scripts }
    #expect(scripts.count > 25)
  }

  private func path(of workshop: Workshop) -> String {
    workshop.sandbox.path("bin") + ":" + (workshop.sandbox.environment["PATH"] ?? "")
  }

  /// The files that the examples assume: a trip, photos, logs, a project.
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    let sandbox = workshop.sandbox
    try FileManager.default.removeItem(atPath: sandbox.path("jobs"))
    for name in Self.programs {
      try sandbox.write("#!/bin/sh\nexit 0\n", to: "bin/\(name)", executable: true)
      try sandbox.write("#!/bin/sh\nexit 0\n", to: name, executable: true)
    }
    try sandbox.write(
      "#!/bin/sh\n[ \"$JOBRUN_ATTEMPT\" -gt 1 ]\n", to: "flaky", executable: true)
    for file in [
      "trip/notes.txt", "photos/one.jpg", "photos/two.jpg", "project/Makefile", "notes/empty",
      "one.log", "two.log", "scenes.txt",
    ] {
      try sandbox.write("a line\n", to: file)
    }
    try sandbox.write("name\nAnn\n", to: "people.csv")
    for name in ["a", "b"] { try sandbox.write("a line\n", to: name) }
    try workshop.jobrun("run", "-q", "--", "true")
    return workshop
  }
}
