import Foundation
import JobWire
import TestKit
import Testing

@Suite struct RefusalTests {
  /// One wrong command line, its exit code, and the text that the message must contain.
  struct Wrong: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let status: Int32
    let names: String

    init(_ status: Int32, _ names: String, _ arguments: String...) {
      self.arguments = arguments
      self.status = status
      self.names = names
    }

    var testDescription: String { "\(arguments.joined(separator: " ").prefix(60)) → \(status)" }
  }

  @Test(arguments: [
    Wrong(66, "quick", "submit", "quikc"),
    Wrong(77, "org.example.workshop", "submit", "com.example.other.quick.a"),
    Wrong(77, "org.example.workshop", "submit", "org.example.workshopX.quick.a"),
    Wrong(66, "org.example.workshop.nothing.a", "submit", "org.example.workshop.nothing.a"),
    Wrong(64, "..", "submit", "org.example..quick"),
    Wrong(64, "*", "submit", "org.example.workshop.quick.*"),
    Wrong(64, "253", "submit", "quick", "--title", String(repeating: "x", count: 254)),
    Wrong(64, "control", "submit", "quick", "--title", "two\nlines"),
    Wrong(64, "teleporter", "submit", "quick", "--require", "teleporter"),
    Wrong(77, "gpu", "submit", "quick", "--require", "gpu"),
    Wrong(69, "memory", "submit", "quick", "--require", "memory=900T"),
    Wrong(64, "strategy", "submit", "quick", "--strategy", "later"),
    Wrong(64, "--stratgy", "submit", "quick", "--stratgy", "fail"),
    Wrong(64, "submti", "submti", "quick"),
    Wrong(64, "5 parsecs", "submit", "quick", "--grace", "5 parsecs"),
    Wrong(64, #"no verb "li\u{1B}st"; "#, "li\u{1B}st"),
    Wrong(64, #"jobrun run -- q\u{009B}x, and"#, "q\u{9B}x"),
    Wrong(64, #""--al\u{07}l" is neither"#, "--al\u{7}l"),
    Wrong(64, #""qui\u{202E}ck" is not a verb, topic or job; "#, "help", "qui\u{202E}ck"),
    Wrong(64, #"list has no flag --al\u{07}l; "#, "list", "--al\u{7}l"),
    Wrong(64, #"slots is "4\n"; "#, "slots", "4\n"),
    Wrong(66, #"--stdin "no\u{1B}where" cannot"#, "run", "--stdin", "no\u{1B}where", "--", "true"),
    Wrong(64, #"--retries is "3\t"; "#, "run", "--retries", "3\t", "--", "true"),
    Wrong(64, #"--at is "0\u{200F}3:00"; "#, "schedule", "--at", "0\u{200F}3:00", "--", "true"),
    Wrong(64, #"--strategy is "fa\u{7F}il"; "#, "submit", "quick", "--strategy", "fa\u{7F}il"),
    Wrong(66, "99", "show", "99"),
    Wrong(66, "99", "cancel", "99"),
    Wrong(66, "99", "attach", "99"),
    Wrong(66, "no-such-command", "run", "--", "no-such-command-here"),
    Wrong(64, "JOBRUN_PAGE", "progress", "--completed", "1", "--strict"),
    Wrong(64, "at most 9223372036854775807", "progress", "--advance", "9223372036854775808"),
  ])
  func `a wrong command line is answered with one sentence and its code`(wrong: Wrong) throws {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    let finished = try workshop.sandbox.run("jobrun", wrong.arguments)
    #expect(finished.status == wrong.status, "\(finished.errors)")
    #expect(finished.errors.contains(wrong.names), "\(finished.errors)")
    #expect(finished.output.isEmpty)
  }

  @Test(arguments: [
    ("{\"identifier\": \"org.example.workshop.odd.*\", \"comand\": [\"odd\"]}", "comand"),
    ("{\"identifier\": \"org.example.workshop.odd.*\", \"command\": \"odd\"}", "command"),
    ("{\"identifier\": \"org.other.odd.*\", \"command\": [\"odd\"]}", "org.other.odd"),
    (
      "{\"identifier\": \"org.example.workshop.odd.*\", \"command\": [\"odd\"], \"grace\": 5}",
      "grace"
    ),
    ("{\"identifier\": ", "job.json"),
  ])
  func `a manifest's mistake is named with its file`(manifest: String, named: String) throws {
    let workshop = try Workshop()
    try workshop.sandbox.write(manifest, to: "jobs/odd/job.json")
    let finished = try workshop.jobrun("submit", "odd", "--detach")
    #expect(finished.status == 64 || finished.status == 66, "\(finished.errors)")
    #expect(finished.errors.contains("jobs/odd/job.json"), "\(finished.errors)")
    #expect(finished.errors.contains(named), "\(finished.errors)")
  }

  @Test func `a manifest may hold comments`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    try workshop.sandbox.write(
      """
      // What this is.
      {
        "identifier": "org.example.workshop.quick.*", /* all of them */
        "command": ["quick"],
      }
      """, to: "jobs/quick/job.json")
    #expect(try workshop.jobrun("submit", "quick").status == 0)
  }

  @Test func `a home that cannot be made is named with the reason`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    let file = try workshop.sandbox.write("in the way", to: "file")
    let finished = try workshop.jobrun(
      "submit", "quick", "--detach", environment: ["JOBRUN_HOME": file])
    #expect(finished.status == 73)
    #expect(finished.errors.contains(file), "\(finished.errors)")
  }

  @Test func `without HOME there is one sentence, not a crash`() throws {
    let workshop = try Workshop()
    let child = try ChildProcess(
      BuiltProducts.path("jobrun"), ["list"], environment: ["PATH": "/usr/bin:/bin"],
      directory: workshop.sandbox.work)
    let finished = try child.wait()
    #expect(finished.status == 73)
    #expect(finished.errors.contains("HOME"), "\(finished.errors)")
  }
}
