import Glibc
import JobCore
import JobWire
import LinuxSystem
import Testing

/// What the runner does with bytes that no client of ours sends, and with clients that read late.
struct ServingTests {
  private let stage: RunnerStage

  init() throws {
    stage = try RunnerStage()
  }

  @Test(arguments: [
    ("this is no JSON", "badFrame"),
    ("{\"v\":1,\"id\":7}", "usage"),
    ("{\"v\":9,\"id\":7,\"op\":\"list\"}", "badFrame"),
    ("[1,2,3]", "badFrame"),
    ("\"\\ud800\"", "badFrame"),
    ("{\"v\":1,\"id\":7,\"op\":\"teleport\"}", "unknownOperation"),
    ("{\"v\":1,\"id\":7,\"op\":\"show\"}", "usage"),
    ("{\"v\":1,\"id\":7,\"op\":\"submit\",\"job\":{}}", "usage"),
  ])
  func `rubbish is answered and the connection lives on`(rubbish: String, code: String) throws {
    let client = try stage.connect()
    try client.send(rubbish + "\n")
    let answer = try client.line()
    #expect(answer.contains("\"error\":{\"code\":\"\(code)\""), "\(answer)")
    try client.send(8, .status)
    #expect(try client.line().contains("\"id\":8"))
  }

  @Test func `a line past the limit is answered once and skipped`() throws {
    let client = try stage.connect()
    let long = String(repeating: "x", count: Limits.lineBytes + 10)
    try client.send(long)
    try client.send(long + "\n{\"v\":1,\"id\":3,\"op\":\"status\"}\n")
    #expect(try client.line().contains("error"))
    #expect(try client.line().contains("\"id\":3"))
  }

  @Test func `half a line and a closed connection hurt nobody`() throws {
    do {
      let client = try stage.connect()
      try client.send("{\"v\":1,\"id\":7,\"op\":\"li")
    }
    let other = try stage.connect()
    try other.send(1, .list(all: true))
    #expect(try other.reply() == .ok(id: 1, .count(0)))
  }

  @Test(arguments: [
    Request.answer(.number(JobNumber(1)), continues: true),
    .cancel(.one(.number(JobNumber(1))), now: false),
  ])
  func `a client that was told that its job has ended is let go`(request: Request) throws {
    let client = try stage.connect()
    stage.executor.end(try client.submit())
    try client.send(1, request)
    #expect(try client.line().contains("has already ended"))
    #expect(shutdown(client.connection.number, Int32(SHUT_WR)) == 0)
    #expect(throws: RunnerStage.Client.Ended.self, "a runner that keeps it would spin") {
      try client.line()
    }
  }

  @Test func `a submission without a descriptor is refused`() throws {
    let client = try stage.connect()
    let job = SubmitRequest(
      key: "abcdefghijklmnop", identifier: "org.a.b", title: "t", speaksPage: false)
    try client.send(1, .submit(job))
    let answer = try client.line()
    #expect(answer.contains("\"error\"") && answer.contains("descriptor"), "\(answer)")
    try client.send(2, .list(all: true))
    #expect(try client.reply() == .ok(id: 2, .count(0)))
  }

  @Test func `two lists at once are both answered`() throws {
    let client = try stage.connect()
    try client.send(
      "{\"v\":1,\"id\":1,\"op\":\"list\"}\n{\"v\":1,\"id\":2,\"op\":\"list\",\"all\":true}\n")
    #expect(try client.reply() == .ok(id: 1, .count(0)))
    #expect(try client.reply() == .ok(id: 2, .count(0)))
  }

  @Test func `a feed reader that never reads delays nobody`() throws {
    let reader = try stage.connect()
    try reader.send(1, .feed(since: 0, progressHertz: 10))
    let client = try stage.connect()
    for _ in 1...5 { stage.executor.end(try client.submit()) }
  }

  @Test func `a feed that resumes after a number of another store hears everything`() throws {
    let client = try stage.connect()
    _ = try client.submit()
    let reader = try stage.connect()
    try reader.send(1, .feed(since: UInt64.max, progressHertz: 0))
    #expect(try reader.reply() == .ok(id: 1, .empty))
    while try !reader.line().contains("\"event\":\"submitted\"") {}
  }

  @Test func `a submission repeated under its key is the same job`() throws {
    let client = try stage.connect()
    let number = try client.submit("abcdefghijklmnop")
    let other = try stage.connect()
    #expect(try other.submit("abcdefghijklmnop") == number)
    try other.send(1, .list(all: true, brief: true))
    #expect(try other.line().contains("{\"id\":1,\"job\":{\"number\":\(number),"))
    #expect(try other.reply() == .ok(id: 1, .count(1)))
  }
}
