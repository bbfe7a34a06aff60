import JobClient
import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// The effects of the flags of `submit` and `run` on a definition or a command.
struct SubmitterTests {
  @Test func `a capability that the bundle lacks is not permitted, and the flags are on top`()
    throws
  {
    let sandbox = try Sandbox()
    try sandbox.write(
      "{\"identifier\": \"org.example.jobs\", \"capabilities\": [\"network\"]}",
      to: "jobs/bundle.json")
    try sandbox.write(
      "{\"identifier\": \"org.example.jobs.export.*\", \"command\": [\"export\"]}",
      to: "jobs/export/job.json")
    let search = BundleSearch(
      flag: nil, environment: [:], directory: sandbox.work, registered: "", configured: [],
      installation: Installation(program: "/nowhere/bin/jobrun"))
    let found = try search.resolve("export", suffix: "s")
    let gpu = try Invocation.parse(["submit", "export", "--require", "gpu"])
    let error = try #require(throws: WireError.self) { try Submitter.request(for: found, gpu) }
    #expect(error.code.exitCode == 77)
    let flags: [Argument] = [
      "submit", "export", "--require", "network", "--title", "T", "--silent-after", "never",
      "--strategy", "fail", "--if-exists", "replace", "--on-stall", "stop", "--grace", "3s",
    ]
    let request = try Submitter.request(for: found, Invocation.parse(flags))
    #expect(request.options.requirements.network)
    #expect(request.title == "T")
    #expect(request.options.silentAfter == nil)
    #expect(request.options.strategy == .fail)
    #expect(request.options.ifExists == .replace)
    #expect(request.options.onStall == .stop)
    #expect(request.options.grace == .seconds(3))
    #expect(request.definition == "export")
    #expect(try request.submission().options.speaksPage)
  }

  @Test(arguments: [
    ("ask", Submission.OnStall.ask, nil), ("continue", .continue, nil), ("stop", .stop, nil),
    ("stop:1h", .ask, Interval.minutes(60)),
  ])
  func `what becomes of a stalled job is said in a word, or with a time`(
    word: String, onStall: Submission.OnStall, span: Interval?
  ) throws {
    let request = try Submitter.request(
      forCommand: Invocation.parse(["run", "--on-stall", Argument(word), "--", "true"]))
    #expect(request.options.onStall == onStall)
    #expect(request.options.answerWithin == span)
    #expect(request.options.observation.canStall)
  }

  @Test(arguments: ["maybe", "ask:1h", "stop:", "stop:soon", ""])
  func `what makes no sense there is refused with what would`(word: String) throws {
    let error = try #require(throws: WireError.self) {
      try Submitter.request(
        forCommand: Invocation.parse(["run", Argument("--on-stall=\(word)"), "--", "true"]))
    }
    #expect(error.code.exitCode == 64)
    #expect(error.message.contains("--on-stall"))
  }

  @Test func `a plain command is judged by its exit and may be silent`() throws {
    let long = Argument(String(repeating: "é", count: 300))
    let request = try Submitter.request(
      forCommand: Invocation.parse(["run", "--", "echo", "a\u{1B}b", long]))
    #expect(request.identifier.hasPrefix("io.jobrun.run."))
    #expect(request.options.silentAfter == nil)
    #expect(!request.options.speaksPage)
    #expect(request.title.hasPrefix("echo ab é"))
    #expect(request.title.utf8.count <= Limits.titleBytes)
    #expect(try request.submission().identifier.text == request.identifier)
  }
}
