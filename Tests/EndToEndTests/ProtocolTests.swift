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
