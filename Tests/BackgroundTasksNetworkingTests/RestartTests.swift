import Dispatch
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(20)))
struct `A session over restarts of its program` {
  private let run: SessionRun
  private let content = SessionRun.bytes(300_000)

  init() throws { run = try SessionRun() }

  /// A server whose answers end when the gate is opened.
  private func held() throws -> (FileServer, Gate) {
    let gate = Gate()
    let server = try FileServer { [content] request, _ in
      FileServer.Answer.file(content, to: request).held(behind: 1000, gate)
    }
    return (server, gate)
  }

  @Test func `comes back with its tasks and what was not told of them`() throws {
    let (gate, soon) = (Gate(), Gate())
    let server = try FileServer { [content] request, _ in
      FileServer.Answer.file(content, to: request)
        .held(behind: 1000, request.path == "/late" ? gate : soon)
    }
    try run.run(
      "make=\(server.address("late"))", "call=late", "resume", "get=\(server.address("soon"))",
      "kill")
    // Not before the program is gone, which would be told of it.
    soon.open()
    try run.awaitFile(ofTransfer: 2)
    let program = try run.start("tasks", "say=ready", "completed=2")
    try run.await("ready")
    #expect(run.told("task").first == "task 1 late late running")
    gate.open()
    #expect(try program.wait().status == 0)
    #expect(run.told("finished").sorted() == ["finished 2 200", "finished late 200"])
    #expect(run.told("completed").sorted() == ["completed 2 0 200", "completed late 0 200"])
    #expect(run.content("late") == content && run.content("got-2") == content)
    #expect(run.leftovers == [])
  }

  @Test func `of both kinds they come back, with what was said of them`() throws {
    let gate = Gate()
    let server = try FileServer { [content] request, _ in
      gate.wait()
      return request.method == "PUT"
        ? FileServer.Answer(status: 201, fields: ["Content-Length": "0"])
        : .file(content, to: request)
    }
    try run.sandbox.write("trip", to: "trip.tar")
    try run.run(
      "make=\(server.address())", "expect=4096", "resume",
      "put=\(run.sandbox.path("trip.tar")),\(server.address("in"))")
    let program = try run.start("kinds", "say=ready", "completed=2")
    try run.await("ready")
    #expect(run.told("kinds") == ["kinds 0 1 1"] && run.told("expected") == ["expected 1 4096"])
    gate.open()
    #expect(try program.wait().status == 0)
    #expect(run.told("completed").sorted() == ["completed 1 0 200", "completed 2 0 201"])
  }

  @Test func `nobody is launched for a session that wants no launch`() throws {
    let quiet = try SessionRun(["PROBE_QUIET": "1"])
    let (server, gate) = try held()
    try quiet.run("get=\(server.address())")
    // Not before the program is gone, which would be told of it.
    gate.open()
    #expect(try quiet.sandbox.run("jobrun", ["wait", "1"]).status == 0)
    let jobs = try quiet.jobrun("list", "--all", "--json").split(separator: "\n")
    #expect(jobs.count == 1 && quiet.leftovers == ["1"])
  }

  @Test func `a download whose worker was killed once its file had its name has succeeded`() throws
  {
    let (server, _) = try held()
    let program = try run.start("get=\(server.address())", "completed=1")
    try run.await("wrote")
    try run.leave("whole", as: "file", ofTransfer: 1)
    let shown = try run.jobrun("show", "1", "--json")
    let worker = try #require(
      shown.split(separator: "\"pid\":").dropFirst().first.flatMap {
        Int32($0.prefix { $0 != "," })
      })
    kill(worker, SIGKILL)
    #expect(try program.wait().status == 0)
    #expect(run.told("completed") == ["completed 1 0 200"])
    #expect(run.content("got-1").map { String(decoding: $0, as: UTF8.self) } == "whole")
    #expect(run.leftovers == [])
  }

  @Test func `a program that was killed before it asked for its launch gets it the next time`()
    throws
  {
    let (server, gate) = try held()
    try run.run("get=\(server.address())", "kill")
    // As it would be, had it been killed earlier.
    try run.forgetLaunch()
    try run.run("say=ready", "kill")
    gate.open()
    try run.await("events probe")
    #expect(run.told("launched").count == 1 && run.told("completed") == ["completed 1 0 200"])
  }

  @Test func `nobody there, the program is launched once for all that has ended`() throws {
    let (server, gate) = try held()
    try run.run(
      "get=\(server.address("a"))", "get=\(server.address("b"))", "get=\(server.address("c"))")
    gate.open()
    try run.await("events probe")
    _ = try run.jobrun("wait", "4")
    #expect(run.told("launched") == ["launched probe"])
    #expect(run.told("completed").sorted() == (1...3).map { "completed \($0) 0 200" })
    #expect(run.told("finished").count == 3 && run.told("events") == ["events probe"])
    #expect(run.leftovers == [])
  }

  @Test func `a delegate that does not name the protocol hears all but the end, which is said`()
    throws
  {
    let plain = try SessionRun(["PROBE_PLAIN": "1"])
    let (server, gate) = try held()
    try plain.run("get=\(server.address())")
    gate.open()
    try plain.await("completed")
    _ = try plain.jobrun("wait", "2")
    #expect(plain.told("completed") == ["completed 1 0 200"] && plain.told("events") == [])
    #expect(plain.leftovers == [])
    #expect(
      try plain.jobrun("log", "2").contains("Delegate does not name BackgroundURLSessionDelegate"))
    #expect(try plain.jobrun("show", "2").contains("succeeded"))
  }

  @Test func `a launch that comes when all was told does nothing`() throws {
    let (server, gate) = try held()
    let program = try run.start("get=\(server.address())", "say=begun", "completed=1")
    // No launch is asked for once the transfer has ended.
    try run.await("begun")
    gate.open()
    _ = try program.wait()
    _ = try run.jobrun("wait", "2")
    let shown = try run.jobrun("show", "2")
    // It depends on whether the program has ended when it is the launch's turn.
    #expect(shown.contains("none are left") || shown.contains("a running process has its lock"))
    #expect(run.told("completed").count == 1 && run.told("launched") == [])
  }

  @Test func `while its program has it open, nothing is told elsewhere`() throws {
    let (server, gate) = try held()
    let program = try run.start(
      "get=\(server.address())", "say=begun", "completed=1", "say=ready", "never=1")
    try run.await("begun")
    gate.open()
    try run.await("ready")
    _ = try run.jobrun("wait", "2")
    #expect(run.told("launched") == [])
    #expect(try run.jobrun("show", "2").contains("a running process has its lock"))
    program.signal(SIGKILL)
    _ = try program.wait()
  }

  @Test func `twenty transfers one after the other launch nobody while their program has it open`()
    throws
  {
    let server = try SessionRun.server(content)
    let steps = (1...20).flatMap { ["get=\(server.address("\($0)"))", "completed=\($0)"] }
    let program = try run.start(steps + ["say=ready", "go"])
    try run.await("ready")
    // The last launch finds it open, too: the runner looks just after it has told of the end.
    _ = try run.jobrun("wait", "--timeout", "30s")
    try run.go()
    #expect(try program.wait().status == 0)
    let jobs = try run.jobrun("list", "--all", "--json").split(separator: "\n")
    let launches = jobs.filter { $0.contains("session-events") }
    #expect(jobs.count - launches.count == 20)
    #expect(launches.filter { !$0.contains("\"started\":null") } == [])
    #expect(run.told("launched") == [] && run.told("completed").count == 20)
  }

  @Test func `another process that is about to let go of it is waited for`() throws {
    let server = try SessionRun.server(content)
    try run.run("get=\(server.address())", "completed=1")
    _ = try run.jobrun("wait", "1", "2")
    let before = try run.jobrun("list", "--all", "--json").split(separator: "\n").count
    let holder = try run.sandbox.start(
      "flock", [run.lock, "sh", "-c", "echo held >held; sleep 0.5"])
    try WaitFor.file(run.sandbox.path("held"))
    try run.run("get=\(server.address())", "completed=1")
    // Not in the program, which would end it with that.
    #expect(try run.jobrun("list", "--all", "--json").split(separator: "\n").count > before)
    #expect(try holder.wait().status == 0)
  }

  /// Files of earlier versions of this program: all must stay readable.
  @Test(
    arguments: [
      // The first.
      """
      {"number":1,"kind":"download","key":"0c6f2f8a7c3b4c3f9a53d2fdd0e7e1a4","job":7,"description":"map",\
      "request":{"url":"http://127.0.0.1:1/map","method":"GET","fields":{"X-Probe":"secret"},\
      "timeout":60},"expectedToSend":-1,"expectedToReceive":-1,"priority":0.5,"isAwaited":false,\
      "end":{"reason":"","isForced":false}}
      """,
      // With fewer fields.
      """
      {"number":1,"kind":"download","key":"0c6f2f8a7c3b4c3f9a53d2fdd0e7e1a4","description":"map",\
      "request":{"url":"http://127.0.0.1:1/map"},"end":{}}
      """,
      // With more fields.
      """
      {"number":1,"kind":"download","key":"0c6f2f8a7c3b4c3f9a53d2fdd0e7e1a4","description":"map",\
      "request":{"url":"http://127.0.0.1:1/map","colour":"red"},"end":{},"predecessor":3,"new":[1]}
      """,
    ])
  func `finds what another version of it has left`(record: String) throws {
    try run.leave(record, ofTransfer: 1)
    try run.leave("content", as: "file", ofTransfer: 1)
    let finished = try run.run("completed=1")
    #expect(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
    #expect(run.told("completed") == ["completed map 0 0"])
    #expect(run.content("map") == Array("content".utf8))
    #expect(run.leftovers == [])
  }

  @Test func `leaves alone what it cannot read`() throws {
    try run.leave("{\"number\":1,\"kind\":\"stream\"}", ofTransfer: 1)
    let server = try SessionRun.server(content)
    let finished = try run.run("get=\(server.address())", "completed=1")
    #expect(finished.errors.contains("/1 is skipped"), "\(finished.errors)")
    #expect(run.told("completed") == ["completed 2 0 200"])
    #expect(run.leftovers == ["1"])
  }

  /// Kills programs at random moments; each resumes from the state of the one before.
  ///
  /// If a program is killed before a handler has returned, the next one gets the same event.
  @Test func `killed at any moment, it is told each event once`() throws {
    var last: [String] = []
    let rounds = ProcessInfo.processInfo.environment["SESSION_KILLS"].flatMap { Int($0) } ?? 20
    let server = try SessionRun.server(content)
    var generator = SeededGenerator(seed: 7)
    for round in 1...rounds {
      let steps = ["a", "b"].flatMap { name in
        ["make=\(server.address())", "call=\(name)\(round)", "resume", "say=begun-\(name)\(round)"]
      }
      let program = try run.start(steps + ["never"])
      let life = Duration.milliseconds(Int.random(in: 0...300, using: &generator))
      #expect(throws: (any Error).self) { try program.wait(within: life) }
      program.signal(SIGKILL)
      _ = try program.wait()
      lastEvent.map { last.append($0) }
    }
    let program = try run.start(["never"])
    try run.awaitLeftovers(0)
    program.signal(SIGKILL)
    _ = try program.wait()
    let begun = run.told("begun-").map { $0.dropFirst("begun-".count) }
    for name in begun {
      #expect(isOnce("finished \(name) 200", after: last), "\(name)")
      #expect(isOnce("completed \(name) 0 200", after: last), "\(name)")
      #expect(run.content(String(name)) == content, "\(name)")
    }
    #expect(run.told("completed").allSatisfy { isOnce($0, after: last) })
    #expect(run.told("lost") == [])
  }

  /// The program is killed at the end of each round; before that, two of the processes of its transfers are.
  @Test func `whoever is killed, it is told each end once`() throws {
    let rounds = ProcessInfo.processInfo.environment["SESSION_KILLS"].flatMap { Int($0) } ?? 12
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.sent = answer.body.count / 2
      // It is slow, so that there is a process to kill.
      answer.pause = { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(200)) }
      return answer
    }
    var generator = SeededGenerator(seed: 18)
    let kinds = ["runner", "supervisor", "worker"]
    var last: [String] = []
    for round in 1...rounds {
      let program = try run.start(
        ["make=\(server.address())", "call=c\(round)", "resume", "say=begun-c\(round)", "never"])
      for _ in 1...2 {
        let life = Duration.milliseconds(Int.random(in: 0...250, using: &generator))
        #expect(throws: (any Error).self) { try program.wait(within: life) }
        let kind = kinds.randomElement(using: &generator) ?? ""
        guard let victim = victims(kind).randomElement(using: &generator) else { continue }
        kill(victim, SIGKILL)
      }
      program.signal(SIGKILL)
      _ = try program.wait()
      lastEvent.map { last.append($0) }
    }
    let program = try run.start(["never"])
    try run.awaitLeftovers(0)
    program.signal(SIGKILL)
    _ = try program.wait()
    for name in run.told("begun-").map({ $0.dropFirst("begun-".count) }) {
      let ends = Set(run.told("completed \(name) "))
      #expect(ends.count == 1 && isOnce(ends.first ?? "", after: last), "\(name): \(ends)")
      let isWhole = ends == ["completed \(name) 0 200"]
      let files = run.told("finished \(name) ")
      #expect(isWhole ? isOnce("finished \(name) 200", after: last) : files == [], "\(name)")
      #expect(!isWhole || run.content(String(name)) == content, "\(name)")
    }
    #expect(run.told("lost") == [])
  }

  /// The event whose handler ran last, in all programs so far.
  private var lastEvent: String? {
    run.diary.last { $0.hasPrefix("finished") || $0.hasPrefix("completed") }
  }

  /// Whether `event` was told once, or once more for each killed program of which it is the `last` event:
  /// there its handler may not have returned.
  private func isOnce(_ event: String, after last: [String]) -> Bool {
    let count = run.told(event).count
    return count == 1 || count > 1 && count <= 1 + last.count { $0 == event }
  }

  private func victims(_ kind: String) -> [Int32] {
    switch kind {
    case "runner": run.sandbox.runners
    case "supervisor": run.sandbox.supervisors
    default:
      run.sandbox.processes(running: "--answer").filter {
        run.sandbox.program(of: $0).hasSuffix("download")
      }
    }
  }
}
