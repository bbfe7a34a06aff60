import Foundation
import JobWire
import LinuxSystem
import TestKit
import Testing

/// What the runner does with bytes that no client of ours sends.
@Suite struct ProtocolTests {
  /// A connection that sends raw bytes and reads lines.
  final class RawClient {
    let connection: UnixConnection
    var lines = LineSplitter()

    init(_ workshop: Workshop) throws {
      connection = try UnixConnection(connectingTo: workshop.sandbox.home + "/run/socket")
    }

    init(_ connection: consuming UnixConnection) {
      self.connection = connection
    }

    func send(_ text: String) throws { try connection.sendAll(Array(text.utf8)) }

    func send(_ request: RequestLine) throws {
      var bytes: [UInt8] = []
      request.append(to: &bytes)
      try connection.sendAll(bytes)
    }

    func line() throws -> String {
      while true {
        if case .line(let bytes)? = lines.next() { return String(decoding: bytes, as: UTF8.self) }
        try WaitFor.readable(connection.number, "a line from the runner")
        var bytes: [UInt8] = []
        let reception = try connection.receive(into: &bytes)
        if case .end = reception.reading { throw Ended() }
        lines.append(bytes)
      }
    }

    struct Ended: Error {}
  }

  static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    #expect(try workshop.jobrun("list").status == 0)
    return workshop
  }

  @Test(arguments: [
    ("this is no JSON", "badFrame"),
    ("{\"v\":1,\"id\":7}", "badFrame"),
    ("{\"v\":9,\"id\":7,\"op\":\"list\"}", "badFrame"),
    ("[1,2,3]", "badFrame"),
    ("\"\\ud800\"", "badFrame"),
    ("{\"v\":1,\"id\":7,\"op\":\"teleport\"}", "unknownOperation"),
    ("{\"v\":1,\"id\":7,\"op\":\"show\"}", "badFrame"),
    ("{\"v\":1,\"id\":7,\"op\":\"submit\",\"job\":{}}", "badFrame"),
  ])
  func `rubbish is answered and the connection lives on`(rubbish: String, code: String) throws {
    let workshop = try Self.workshop()
    let client = try RawClient(workshop)
    try client.send(rubbish + "\n")
    let answer = try client.line()
    #expect(answer.contains("\"error\""), "\(answer)")
    #expect(answer.contains("\"\(code)\"") || answer.contains("\"usage\""), "\(answer)")
    try client.send("{\"v\":1,\"id\":8,\"op\":\"status\"}\n")
    #expect(try client.line().contains("\"id\":8"))
  }

  @Test func `a line past the limit is answered once and skipped`() throws {
    let workshop = try Self.workshop()
    let client = try RawClient(workshop)
    let long = String(repeating: "x", count: Limits.lineBytes + 10)
    try client.send(long)
    try client.send(long + "\n{\"v\":1,\"id\":3,\"op\":\"status\"}\n")
    #expect(try client.line().contains("error"))
    #expect(try client.line().contains("\"id\":3"))
  }

  @Test func `half a line and a closed connection hurt nobody`() throws {
    let workshop = try Self.workshop()
    do {
      let client = try RawClient(workshop)
      try client.send("{\"v\":1,\"id\":7,\"op\":\"li")
    }
    #expect(try workshop.jobrun("list").status == 0)
  }

  @Test(arguments: [
    "\"op\":\"answer\",\"ref\":\"1\",\"continue\":true",
    "\"op\":\"cancel\",\"ref\":\"1\",\"now\":false",
  ])
  func `a client that was told that its job has ended is let go`(request: String) throws {
    let workshop = try Self.workshop()
    try workshop.define("quick", "exit 0")
    #expect(try workshop.jobrun("submit", "quick").status == 0)
    let client = try RawClient(workshop)
    try client.send("{\"v\":1,\"id\":1,\(request)}\n")
    #expect(try client.line().contains("has already ended"))
    #expect(shutdown(client.connection.number, Int32(SHUT_WR)) == 0)
    #expect(throws: RawClient.Ended.self, "a runner that keeps it would spin") {
      try client.line()
    }
  }

  @Test func `a submission without a descriptor is refused`() throws {
    let workshop = try Self.workshop()
    let client = try RawClient(workshop)
    try client.send(
      """
      {"v":1,"id":1,"op":"submit","job":{"key":"abcdefghijklmnop","identifier":"org.a.b",\
      "definition":null,"title":"t","subtitle":"","strategy":"queue","ifExists":"refuse",\
      "requirements":{"gpus":0,"gpuMemory":0,"processors":0,"memory":0,"disk":0,"network":false,\
      "power":false},"speaksPage":false,"onStall":"ask","stallAfterMs":30000,\
      "silentAfterMs":null,"graceMs":10000,"limitMs":null,"resumable":false,"retries":0}}

      """)
    let answer = try client.line()
    #expect(answer.contains("\"error\"") && answer.contains("descriptor"), "\(answer)")
    #expect(try workshop.jobrun("list", "--all", "--json").output.isEmpty)
  }

  @Test func `a feed reader that never reads delays nobody`() throws {
    let workshop = try Self.workshop()
    try workshop.define("quick", "exit 0")
    let client = try RawClient(workshop)
    try client.send("{\"v\":1,\"id\":1,\"op\":\"feed\",\"since\":0,\"progressHz\":10}\n")
    for _ in 1...5 { #expect(try workshop.jobrun("submit", "quick").status == 0) }
  }

  @Test func `a feed resumes after a sequence number, across runners`() throws {
    let workshop = try Self.workshop()
    try workshop.define("quick", "exit 0")
    #expect(try workshop.jobrun("submit", "quick").status == 0)
    #expect(try workshop.jobrun("runner", "restart").status == 0)
    #expect(try workshop.jobrun("submit", "quick").status == 0)
    let told = try workshop.feed(until: "ended", of: 2)
    let sequences = told.split(separator: "\n").compactMap { line -> Int? in
      guard let start = line.range(of: "\"seq\":")?.upperBound else { return nil }
      return Int(line[start...].prefix { $0.isNumber })
    }
    #expect(sequences == Array(1...sequences.count), "no gap, no repeat")
  }

  @Test func `two lists at once are both answered`() throws {
    let workshop = try Self.workshop()
    let client = try RawClient(workshop)
    try client.send(
      "{\"v\":1,\"id\":1,\"op\":\"list\"}\n{\"v\":1,\"id\":2,\"op\":\"list\",\"all\":true}\n")
    #expect(try client.line().contains("\"id\":1"))
    #expect(try client.line().contains("\"id\":2"))
  }

  @Test func `a feed that resumes after a number of another store hears everything`() throws {
    let workshop = try Self.workshop()
    try workshop.define("quick", "exit 0")
    let submitted = try workshop.jobrun("submit", "quick")
    #expect(submitted.status == 0, "\(submitted)")
    #expect(
      try workshop.feed(until: "ended", of: 1, since: UInt64.max).contains("\"submitted\""))
  }

  @Test func `a client that sends no more and reads nothing costs no time`() throws {
    let workshop = try Self.workshop()
    let client = try RawClient(workshop)
    // More answers than the socket takes.
    let asked = String(repeating: "{\"v\":1,\"id\":1,\"op\":\"status\"}\n", count: 1_500)
    try client.send(asked)
    #expect(shutdown(client.connection.number, Int32(SHUT_WR)) == 0)
    #expect(try workshop.jobrun("list").status == 0)
    let runner = try RestartTests.runner(workshop)
    let before = try Self.ticks(runner)
    // As long as this takes the runner has nothing to do.
    for _ in 1...3 { _ = try workshop.sandbox.run("timeout", ["0.3", "cat", workshop.gate]) }
    #expect(try Self.ticks(runner) - before < 20, "hundredths of a second in one second")
    #expect(try client.line().contains("\"id\":1"))
  }

  /// Processor time of a process, in hundredths of a second (proc_pid_stat(5)).
  static func ticks(_ pid: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
  }
}
