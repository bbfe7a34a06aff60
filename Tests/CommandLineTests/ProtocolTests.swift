import JobCore
import JobPage
import JobWire
import TestKit
import Testing

@testable import jobrun

/// The real program against a stand-in for the runner.
struct ProtocolTests {
  private let sandbox: Sandbox
  private let fake: FakeRunner

  init() throws {
    sandbox = try Sandbox()
    fake = try FakeRunner(in: sandbox)
  }

  private func job(_ request: SubmitRequest) -> JobStatus {
    var job = Sample.job(.running, title: request.title)
    job.identifier = request.identifier
    return job
  }

  private func ended(_ outcome: Outcome, exitCode: Int32? = nil) -> FeedLine {
    .event(
      sequence: 9, at: WallTime(milliseconds: 0), .ended,
      Sample.ended(outcome, exitCode: exitCode))
  }

  @Test func `an answer that was lost is asked for again with the same key`() throws {
    let program = try sandbox.start("jobrun", ["run", "--detach", "--", "true"])
    let first = try fake.visitor()
    guard case .submit(let lost) = try first.request().request else { throw FakeRunner.Gone() }
    first.close()
    let second = try fake.visitor()
    let line = try second.request()
    #expect(line.request == .submit(lost))
    #expect(second.specifications == first.specifications)
    #expect(second.specifications.count == 1)
    try second.answer(line.id, .submitted(job(lost), kept: false, duplicate: true))
    let finished = try program.wait()
    #expect(finished.status == 0)
    #expect(finished.output == "12 \(lost.identifier)\n")
  }

  @Test func `a request that two runners died of is not sent a third time`() throws {
    let program = try sandbox.start("jobrun", ["run", "--detach", "--", "true"])
    for _ in 0..<2 {
      let visitor = try fake.visitor()
      _ = try visitor.request()
      visitor.close()
    }
    let last = try fake.visitor()
    let line = try last.request()
    guard case .show(.key) = line.request else { throw FakeRunner.Gone() }
    try last.refuse(line.id, WireError(.notFound, "no such job"))
    let finished = try program.wait()
    #expect(finished.status == 70)
    #expect(finished.errors.contains("broke the connection 2 times without an answer"))
  }

  @Test func `what two runners accepted before they died is found by its key`() throws {
    let program = try sandbox.start("jobrun", ["run", "--detach", "--", "true"])
    var key = ""
    for _ in 0..<2 {
      let visitor = try fake.visitor()
      guard case .submit(let lost) = try visitor.request().request else { throw FakeRunner.Gone() }
      key = lost.key
      visitor.close()
    }
    let third = try fake.visitor()
    #expect(try third.request().request == .show(.key(key)))
    third.close()
    let fourth = try fake.visitor()
    let line = try fourth.request()
    #expect(line.request == .show(.key(key)))
    try fourth.answer(line.id, .job(Sample.job(), message: nil))
    let finished = try program.wait()
    #expect(finished.status == 0)
    #expect(finished.output.hasPrefix("12 "), "\(finished)")
  }

  @Test func `a wait outlives several runners before its first answer`() throws {
    let program = try sandbox.start("jobrun", ["wait", "12"])
    for _ in 0..<5 {
      let visitor = try fake.visitor()
      _ = try visitor.request()
      visitor.close()
    }
    let visitor = try fake.visitor()
    let line = try visitor.request()
    #expect(line.request == .show(.number(JobNumber(12))))
    try visitor.answer(line.id, .job(Sample.job(), message: nil))
    try visitor.answer(try visitor.request().id, .empty)
    try visitor.tell(ended(.succeeded, exitCode: 0))
    #expect(try program.wait().status == 0)
  }

  @Test func `whoever follows a job does not kill one runner after the other`() throws {
    let program = try sandbox.start("jobrun", ["wait", "12"])
    let first = try fake.visitor()
    try first.answer(try first.request().id, .job(Sample.job(), message: nil))
    _ = try first.request()
    first.close()
    for _ in 0..<11 {
      let visitor = try fake.visitor()
      _ = try visitor.request()
      visitor.close()
    }
    let finished = try program.wait()
    #expect(finished.status == 70)
    #expect(finished.errors.contains("broke the connection 12 times without an answer"))
  }

  @Test func `a job is followed before a blocked reader has its number`() throws {
    let script = """
      { head -c 65536 /dev/zero; exec jobrun run -- true; } |
      { while ! test -e go; do sleep 0.01; done; tr -d '\\0'; }
      """
    let shell = try sandbox.start("bash", ["-c", script])
    let visitor = try fake.visitor()
    let line = try visitor.request()
    guard case .submit(let request) = line.request else { throw FakeRunner.Gone() }
    try visitor.answer(line.id, .submitted(job(request), kept: false, duplicate: false))
    // The pipe is full.
    let follow = try visitor.request()
    #expect(follow.request == .follow([.number(JobNumber(12))], attach: true, brief: true))
    try visitor.answer(follow.id, .empty)
    try visitor.tell(ended(.succeeded))
    try sandbox.write("", to: "go")
    #expect(try shell.wait().output.hasPrefix("12 \(request.identifier)\n"))
  }

  @Test func `what is executed travels with every byte`() throws {
    let program = try sandbox.start(
      "jobrun", ["run", "--detach", "--", "echo", "--flag", "", "a b\nc"],
      environment: ["SECRET": "x y\nz"])
    let visitor = try fake.visitor()
    let line = try visitor.request()
    guard case .submit(let request) = line.request else { throw FakeRunner.Gone() }
    try visitor.answer(line.id, .submitted(job(request), kept: false, duplicate: false))
    #expect(try program.wait().status == 0)
    let specification = try #require(visitor.specifications.first)
    let words = specification.arguments.map { String(decoding: $0, as: UTF8.self) }
    #expect(words[0].hasPrefix("/") && words[0].hasSuffix("/echo"))
    #expect(words.dropFirst() == ["--flag", "", "a b\nc"])
    #expect(specification.environment.contains(Array("SECRET=x y\nz".utf8)))
    #expect(String(decoding: specification.directory, as: UTF8.self) == sandbox.work)
  }

  @Test(arguments: [
    (ErrorCode.unavailable, 69 as Int32), (.immediateRunIneligible, 75), (.notPermitted, 77),
    (.badConfiguration, 78),
    (.alreadyRunning, 73), (.tooManyPendingTaskRequests, 75), (.internal, 70), (.usage, 64),
  ])
  func `a refusal is its sentence on stderr and its exit code`(
    code: ErrorCode, status: Int32
  ) throws {
    let program = try sandbox.start("jobrun", ["run", "--", "true"])
    let visitor = try fake.visitor()
    let line = try visitor.request()
    try visitor.refuse(line.id, WireError(code, "because\u{1B}[2J"))
    let finished = try program.wait()
    #expect(finished.status == status)
    #expect(finished.output == "")
    #expect(finished.errors == "jobrun: because[2J\n")
  }

  @Test func `the job's end is the program's end, also over a second connection`() throws {
    let program = try sandbox.start("jobrun", ["attach", "12"])
    let first = try fake.visitor()
    let show = try first.request()
    #expect(show.request == .show(.number(JobNumber(12))))
    try first.answer(show.id, .job(Sample.job(), message: nil))
    let follow = try first.request()
    #expect(follow.request == .follow([.number(JobNumber(12))], attach: true, brief: true))
    try first.answer(follow.id, .empty)
    try first.tell(.snapshot(Sample.job()))
    first.close()
    let second = try fake.visitor()
    let again = try second.request()
    #expect(again.request == .follow([.number(JobNumber(12))], attach: true, brief: true))
    try second.tell(ended(.failed, exitCode: 3))
    let finished = try program.wait()
    #expect(finished.status == 3)
    #expect(finished.errors.contains("✗ 12 Trip 2026 failed (exit code 3)"))
    #expect(!finished.errors.contains("\u{1B}"))
  }

  @Test func `json is one object a line, the final job last, and nothing else`() throws {
    let program = try sandbox.start("jobrun", ["run", "--json", "--", "true"])
    let visitor = try fake.visitor()
    let line = try visitor.request()
    guard case .submit(let request) = line.request else { throw FakeRunner.Gone() }
    try visitor.answer(line.id, .submitted(job(request), kept: false, duplicate: false))
    _ = try visitor.request()
    try visitor.tell(.snapshot(job(request)))
    try visitor.tell(ended(.succeeded))
    let finished = try program.wait()
    #expect(finished.status == 0)
    #expect(finished.errors == "")
    let lines = finished.output.split(separator: "\n").map { Array($0.utf8) }
    #expect(lines.count == 4)
    #expect(try JobStatus(json: lines[0][...]).state == .running)
    #expect(try JobStatus(json: lines[3][...]).outcome == .succeeded)
  }

  @Test func `SIGINT cancels and SIGTERM leaves`() throws {
    let program = try sandbox.start("jobrun", ["attach", "12"])
    let visitor = try fake.visitor()
    try visitor.answer(visitor.request().id, .job(Sample.job(), message: nil))
    _ = try visitor.request()
    program.signal(2)
    #expect(try visitor.request().request == .cancel(.one(.number(JobNumber(12))), now: false))
    program.signal(2)
    #expect(try visitor.request().request == .cancel(.one(.number(JobNumber(12))), now: true))
    program.signal(15)
    let finished = try program.wait()
    #expect(finished.status == 122)
    #expect(finished.errors.contains("job 12 keeps running; watch it with jobrun attach 12"))
  }

  @Test func `a question off a terminal names its command, and keys are not read`() throws {
    let program = try sandbox.start("jobrun", ["attach", "12"], input: "n")
    let visitor = try fake.visitor()
    var stalled = Sample.job(.stalled)
    stalled.prompt = JobStatus.Prompt(question: "Continue?", since: WallTime(milliseconds: 0))
    try visitor.answer(visitor.request().id, .job(stalled, message: nil))
    _ = try visitor.request()
    try program.wait(for: "jobrun continue 12", on: .errors)
    try visitor.tell(ended(.succeeded))
    #expect(try program.wait().status == 0)
  }

  @Test func `cancelling what was cancelled is no mistake, what succeeded is`() throws {
    for (outcome, status) in [(Outcome.cancelled, 0 as Int32), (.succeeded, 66)] {
      let program = try sandbox.start("jobrun", ["cancel", "12"])
      let visitor = try fake.visitor()
      try visitor.answer(visitor.request().id, .job(Sample.ended(outcome), message: nil))
      let finished = try program.wait()
      #expect(finished.status == status)
      let head = outcome == .cancelled ? "" : "jobrun: "
      #expect(finished.errors == "\(head)job 12 has already ended: \(outcome.rawValue)\n")
    }
  }

  @Test(arguments: [["list", "--group", "render"], ["report", "group:render", "--json"]])
  func `of a group only its jobs are asked for, also of a runner that knows no such question`(
    words: [String]
  ) throws {
    let program = try sandbox.start("jobrun", words)
    let visitor = try fake.visitor()
    let list = try visitor.request()
    let isReport = words[0] == "report"
    #expect(
      list.request
        == .list(all: isReport, brief: !isReport, group: GroupName("render"), folded: !isReport))
    var mine = Sample.job(title: "Mine")
    mine.number = JobNumber(13)
    mine.terms.group = "render"
    try visitor.tell(job: Sample.job(title: "Other"), of: list.id)
    try visitor.tell(job: mine, of: list.id)
    try visitor.answer(list.id, .count(2))
    let finished = try program.wait()
    #expect(finished.output.contains("Mine") && !finished.output.contains("Other"), "\(finished)")
  }

  @Test func `an unknown job is named with those that are live`() throws {
    let program = try sandbox.start("jobrun", ["show", "99"])
    let visitor = try fake.visitor()
    try visitor.refuse(visitor.request().id, WireError(.notFound, "there is no job 99"))
    let list = try visitor.request()
    #expect(list.request == .list(all: false))
    try visitor.tell(job: Sample.job(), of: list.id)
    try visitor.answer(list.id, .count(1))
    let finished = try program.wait()
    #expect(finished.status == 66)
    #expect(finished.errors == "jobrun: there is no job 99; running or waiting: 12 (Trip 2026)\n")
  }
}
