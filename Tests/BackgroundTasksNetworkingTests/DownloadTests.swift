import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A download in the background` {
  private let run: SessionRun
  private let content = SessionRun.bytes(300_000)

  init() throws { run = try SessionRun() }

  @Test func `is the runner's job, and the delegate hears of its file, its bytes and its end`()
    throws
  {
    let server = try SessionRun.server(content)
    let finished = try run.run("get=\(server.address())", "completed=1")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(run.told("finished") == ["finished 1 200"])
    #expect(run.told("completed") == ["completed 1 0 200"])
    // At once or in parts, as the runner comes to look at it: new bytes, all so far, all expected.
    let wrote = run.told("wrote").map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(wrote.last?.suffix(2) == [300_000, 300_000])
    #expect(wrote.reduce(0) { $0 + $1[1] } == 300_000)
    #expect(run.content("got-1") == content)
    #expect(run.leftovers == [])
    #expect(try run.jobrun("list", "--all").contains("Download"))
    #expect(server.requests.map { $0.fields["x-probe"] } == ["secret"])
  }

  @Test func `what is sent along stands in no command line`() throws {
    let (server, gate) = try held()
    let program = try run.start("get=\(server.address())", "completed=1")
    try run.await("wrote")
    let shown = try run.jobrun("show", "1", "--json")
    #expect(shown.contains("/headers") && !shown.contains("secret"), "\(shown)")
    gate.open()
    #expect(try program.wait().status == 0)
  }

  /// A server that sends half of it until the gate is opened.
  private func held() throws -> (FileServer, Gate) {
    let gate = Gate()
    let server = try FileServer { [content] request, _ in
      FileServer.Answer.file(content, to: request).held(behind: 150_000, gate)
    }
    return (server, gate)
  }

  @Test(arguments: [404, 500])
  func `an answer that is no file is a file all the same, with its status`(status: Int) throws {
    let server = try FileServer { _, _ in
      FileServer.Answer(
        status: status, fields: ["Content-Length": "5"], body: Array("sorry".utf8))
    }
    try run.run("get=\(server.address())", "completed=1")
    #expect(run.told("completed") == ["completed 1 0 \(status)"])
    #expect(run.content("got-1") == Array("sorry".utf8))
  }

  @Test
  func `sends the method and the body of its request, and the next address is asked without them`()
    throws
  {
    let server = try FileServer { [content] request, _ in
      request.path == "/search"
        ? FileServer.Answer(status: 303, fields: ["Location": "/found", "Content-Length": "0"])
        : .file(content, to: request)
    }
    try run.run("fetch=POST,\(server.address("search")),name=Ada", "completed=1")
    #expect(server.requests.map(\.method) == ["POST", "GET"])
    #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["name=Ada", ""])
    #expect(run.told("completed") == ["completed 1 0 200"])
    #expect(run.content("got-1") == content)
  }

  @Test func `by POST it is not sent again when its answer is lost`() throws {
    let server = try FileServer { [content] request, _ in
      var answer = FileServer.Answer.file(content, to: request)
      answer.sent = 10_000
      return answer
    }
    try run.run("fetch=POST,\(server.address()),1", "completed=1")
    #expect(server.requests.count == 1)
    #expect(run.told("completed") == ["completed 1 -1005 0"])
    #expect(try run.jobrun("show", "1").contains("it may have arrived, and POST is not repeated"))
  }

  @Test func `a method that is none of a download fails before anything is sent`() throws {
    let server = try SessionRun.server(content)
    try run.run("fetch=DELETE,\(server.address())", "completed=1")
    #expect(server.requests.isEmpty && run.told("completed") == ["completed 1 -1002 0"])
  }

  @Test func `that comes compressed although nobody asked is given as it was before`() throws {
    let text = Array(String(repeating: "all work and no play. ", count: 5000).utf8)
    try run.sandbox.write(String(decoding: text, as: UTF8.self), to: "page")
    try run.sandbox.run("gzip", ["-k", run.sandbox.path("page")])
    let packed = try #require(run.content("page.gz"))
    let server = try FileServer { request, _ in
      FileServer.Answer(
        fields: ["Content-Encoding": "gzip", "Content-Length": "\(packed.count)", "ETag": "\"1\""],
        body: packed)
    }
    try run.run("get=\(server.address())", "completed=1")
    #expect(run.content("got-1") == text)
    #expect(run.told("completed") == ["completed 1 0 200"])
  }

  @Test func `knows what was asked for, and where the server led`() throws {
    let server = try FileServer { [content] request, _ in
      request.path == "/old"
        ? FileServer.Answer(status: 302, fields: ["Location": "/new", "Content-Length": "0"])
        : .file(content, to: request)
    }
    try run.run("get=\(server.address("old"))", "completed=1")
    #expect(run.told("from") == ["from 1 /old /new"])
    #expect(run.content("got-1") == content)
  }

  @Test func `waits for a network that costs nothing where its session says so`() throws {
    let cheap = try SessionRun(["PROBE_CHEAP": "1"])
    let server = try SessionRun.server(content)
    try cheap.run("get=\(server.address())", "completed=1")
    #expect(try cheap.jobrun("show", "1", "--json").contains("--unmetered"))
  }

  @Test func `waits until it is resumed, and keeps what was said of it`() throws {
    let server = try SessionRun.server(content)
    try run.run(
      "make=\(server.address("map.bin"))", "call=map", "tasks", "resume", "completed=1", "tasks")
    #expect(run.told("task") == ["task 1 map.bin map suspended"])
    #expect(run.content("map") == content)
  }

  @Test func `cancelled, it ends so`() throws {
    let (server, _) = try held()
    try run.run("get=\(server.address())", "wrote=1", "cancel", "completed=1")
    #expect(run.told("completed") == ["completed 1 -999 200"])
    #expect(run.told("finished") == [])
    #expect(run.leftovers == [])
  }

  @Test func `cancelled by a person, it says so and can be gone on with`() throws {
    let (server, _) = try held()
    let program = try run.start("get=\(server.address())", "completed=1")
    try run.await("wrote")
    _ = try run.jobrun("cancel", "1")
    #expect(try program.wait().status == 0)
    #expect(run.told("completed") == ["completed 1 -999 200 resumable"])
  }

  @Test func `goes on from resume data where it was, and says where`() throws {
    let (server, gate) = try held()
    try run.run("get=\(server.address())", "wrote=1", "save", "completed=1")
    #expect(run.told("saved") == ["saved something"])
    // A task that is never resumed, or cancelled before, takes nothing of them.
    try run.run("renew", "kill")
    try run.run("renew", "save", "completed=1")
    #expect(run.told("saved") == ["saved something", "saved something"])
    gate.open()
    try run.run("again", "completed=1")
    #expect(run.content("got-1") == content)
    #expect(run.told("resumed").count == 1)
    let start = try #require(server.requests.last?.start)
    #expect(start > 0 && run.told("resumed") == ["resumed 1 \(start)"])
    #expect(run.leftovers == [])
  }

  @Test func `stands still while it is suspended, as often as that is`() throws {
    let (server, gate) = try held()
    let again = (1...3).flatMap { _ in ["resume", "tasks", "suspend"] }
    let program = try run.start(
      ["get=\(server.address())", "wrote=1", "suspend"] + again + [
        "tasks", "say=ready", "go", "resume", "completed=1",
      ])
    try run.await("ready")
    #expect(
      run.told("task").map { $0.split(separator: " ").last } == [
        "running", "running", "running", "suspended",
      ])
    #expect(try run.jobrun("show", "1", "--json").contains("\"state\":\"paused\""))
    gate.open()
    try run.go()
    #expect(try program.wait().status == 0)
    #expect(run.content("got-1") == content)
  }

  @Test func `begins no earlier than asked for`() throws {
    let server = try SessionRun.server(content)
    try run.run("make=\(server.address())", "later=3600", "resume")
    #expect(try run.jobrun("show", "1", "--json").contains("\"state\":\"queued\""))
    #expect(server.requests.isEmpty)
  }

  @Test func `what has no scheme for it fails, and a completion handler is refused`() throws {
    let finished = try run.run("get=ftp://example.org/x", "completed=1", "ask=http://h/", "refused")
    #expect(run.told("completed") == ["completed 1 -1002 0"])
    #expect(run.told("refused") == ["refused -1002"])
    #expect(finished.errors.contains("probe knows no completion handlers"), "\(finished.errors)")
  }
}
