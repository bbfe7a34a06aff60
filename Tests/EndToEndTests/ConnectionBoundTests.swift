import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The limits of the runner's memory for one connection, and its memory after a large number of them.
///
/// `JOBRUN_CROWD=all` uses as many as on a bad day; otherwise a twentieth.
@Suite struct ConnectionBoundTests {
  private let workshop: Workshop
  private let runner: Int32
  private static let isThorough = ProcessInfo.processInfo.environment["JOBRUN_CROWD"] == "all"

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    runner = try RestartTests.runner(workshop)
  }

  /// In KiB (proc_pid_status(5)).
  private func resident() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(runner)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  private func submit(_ id: UInt64, over client: ProtocolTests.RawClient) throws {
    let value = String(repeating: "x", count: 80)
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/bin/true".utf8)],
      environment: (1...20).map { Array("VARIABLE_\($0)=\(value)".utf8) })
    let memory = try MemoryFile.make(specification.encoded())
    var bytes: [UInt8] = []
    let request = SubmitRequest(
      key: RandomBytes.hexadecimal(count: 16), identifier: "io.jobrun.run.n\(id)",
      title: "n\(id)", speaksPage: false)
    RequestLine(id: id, .submit(request)).append(to: &bytes)
    try client.connection.sendAll(bytes, passing: memory.number)
  }

  /// Sends a request again and again until the runner takes no more; how many bytes it took.
  private func flood(_ client: ProtocolTests.RawClient, _ request: String) throws -> Int {
    let bytes = Array(String(repeating: request + "\n", count: 500).utf8)
    var sent = 0
    while sent < 64 << 20 {
      guard let count = try client.connection.send(bytes[(sent % bytes.count)...]) else {
        // Full: once another was answered, the runner has taken all that it wants to.
        #expect(try workshop.jobrun("list").status == 0)
        guard let more = try client.connection.send(bytes[(sent % bytes.count)...]) else {
          return sent
        }
        sent += more
        continue
      }
      sent += count
    }
    return sent
  }

  @Test(
    arguments: [
      #"{"v":1,"id":5,"op":"show","ref":"1"}"#, #"{"v":1,"id":5,"op":"list","all":false}"#,
      #"{"v":1,"id":5,"op":"resources"}"#, #"{"v":1,"id":5,"op":"history"}"#, "rubbish",
    ], [false, true])
  func `whoever asks and does not listen is not asked for more`(
    request: String, subscribes: Bool
  ) throws {
    let client = try ProtocolTests.RawClient(workshop)
    for id in 1...200 as ClosedRange<UInt64> { try submit(id, over: client) }
    for _ in 1...200 { _ = try client.line() }
    let before = try resident()
    if subscribes { try client.send("{\"v\":1,\"id\":1,\"op\":\"feed\",\"progressHz\":10}\n") }
    let sent = try flood(client, request)
    #expect(sent < 4 << 20, "\(sent) bytes of requests were taken")
    let growth = try resident() - before
    #expect(growth < 16 * 1024, "\(growth) KiB for one connection")
    // A client that reads the answers later still gets them.
    for _ in 1...500 { #expect(!(try client.line().isEmpty)) }
    #expect(try workshop.jobrun("show", "1").status == 0)
  }

  @Test func `descriptors beside lines that never end are not kept`() throws {
    let content = try MemoryFile.make([UInt8](repeating: 0x41, count: 4 << 20))
    let before = try resident()
    let client = try ProtocolTests.RawClient(workshop)
    for _ in 1...200 { try client.connection.sendAll([0x20], passing: content.number) }
    #expect(try workshop.jobrun("list").status == 0)
    #expect(try resident() - before < 24 * 1024)

    var crowd: [ProtocolTests.RawClient] = []
    for _ in 1...40 {
      let client = try ProtocolTests.RawClient(workshop)
      // A connection that is closed for it gets an error.
      try? client.connection.sendAll([0x20], passing: content.number)
      crowd.append(client)
    }
    #expect(try workshop.jobrun("list").status == 0)
    #expect(try resident() - before < 80 * 1024, "160 MiB were enclosed")
    #expect(try workshop.jobrun("runner", "status").output.contains("a connection was closed"))
    withExtendedLifetime(crowd) {}
  }

  @Test func `what a crowd had needed is given back`() throws {
    let part = Self.isThorough ? 1 : 20
    let talker = try ProtocolTests.RawClient(workshop)
    // The first of each kind includes one-time costs.
    for id in 1...20 as ClosedRange<UInt64> { try submit(id, over: talker) }
    for _ in 1...20 { _ = try talker.line() }
    #expect(try workshop.jobrun("list").status == 0)
    let before = try resident()
    try connect(10_000 / part)
    let peak = try crowd(feeds: 1_500 / part, jobs: 20_000 / part, talker)
    #expect(try workshop.jobrun("cancel", "--all").status == 0)
    let after = try settled(below: before + 10 * 1024)
    StandardError.write(
      "\(10_000 / part) connections, \(1_500 / part) unread feeds, \(20_000 / part) jobs:"
        + " \(before) KiB before, \(peak) at the end of it, \(after) a minute later\n")
    #expect(after - before < 10 * 1024)
  }

  /// Connections that come and go.
  private func connect(_ count: Int) throws {
    var open: [ProtocolTests.RawClient] = []
    for _ in 1...count {
      let client = try ProtocolTests.RawClient(workshop)
      try client.send("{\"v\":1,\"id\":1,\"op\":\"status\"}\n")
      open.append(client)
      guard open.count == 200 else { continue }
      // More would not find room in the listener's queue.
      #expect(try client.line().contains("\"id\":1,\"ok\""))
      open = []
    }
  }

  /// Feeds that are not read while jobs are submitted; returns the memory at the end.
  private func crowd(feeds: Int, jobs: Int, _ talker: ProtocolTests.RawClient) throws -> Int {
    var readers: [ProtocolTests.RawClient] = []
    for _ in 1...feeds {
      let client = try ProtocolTests.RawClient(workshop)
      try client.send("{\"v\":1,\"id\":1,\"op\":\"feed\",\"progressHz\":10}\n")
      readers.append(client)
      if readers.count.isMultiple(of: 200) { _ = try client.line() }
    }
    for id in 1...UInt64(jobs) {
      try submit(1_000 + id, over: talker)
      _ = try talker.line()
    }
    defer { withExtendedLifetime(readers) {} }
    return try resident()
  }

  /// The memory once it is below a bound, or after a minute.
  private func settled(below bound: Int) throws -> Int {
    let deadline = AwakeClock.now() + 60_000_000_000
    while try resident() >= bound, AwakeClock.now() < deadline {
      _ = try Poll.wait([], until: AwakeClock.now() + 100_000_000)
    }
    return try resident()
  }
}
