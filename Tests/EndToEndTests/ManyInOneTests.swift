import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Many submissions: in one request, and many requests at once.
@Suite struct ManyInOneTests {
  private let workshop: Workshop
  private let client: ProtocolTests.RawClient

  init() throws {
    workshop = try Workshop()
    #expect(try workshop.jobrun("list").status == 0)
    client = try ProtocolTests.RawClient(workshop)
  }

  /// Sends one request for many jobs, which run `script` with their inputs as `$0`, `$1` and so on.
  private func send(
    _ script: String, _ inputs: [[String]], key: String, environment: [String] = []
  ) throws {
    var request = SubmitRequest(
      key: key, identifier: "io.jobrun.run.many", title: "many {}", speaksPage: false)
    request.options.retries = 0
    let specification = LaunchSpecification(
      directory: Array(workshop.sandbox.work.utf8),
      arguments: ["/bin/sh", "-c", script, "{}"].map { Array($0.utf8) },
      environment: (["PATH=/usr/bin:/bin"] + environment).map { Array($0.utf8) })
    let many = ManyRequest(request, count: inputs.count, width: inputs.first?.count ?? 1)
    var bytes: [UInt8] = []
    RequestLine(id: 1, .submitMany(many)).append(to: &bytes)
    let memory = try MemoryFile.make(specification.encoded())
    let lists = try MemoryFile.make(inputs.joined().flatMap { Array($0.utf8) + [0] })
    try client.connection.sendAll(bytes, passing: memory.number, and: lists.number)
  }

  private func key() -> String { RandomBytes.hexadecimal(count: 16) }

  @Test func `three hundred jobs in one request run with their own inputs, and each once`() throws {
    let key = key()
    let ledger = workshop.sandbox.path("ledger")
    let inputs = (1...300).map { ["\($0)", "\($0 * 2)"] }
    try send("echo $0 $1 $JOBRUN_JOB >> \(ledger)", inputs, key: key)
    #expect(try client.line() == #"{"id":1,"ok":{"first":1,"count":300,"duplicate":false}}"#)
    #expect(try workshop.jobrun("wait", "300").status == 0)
    #expect(try workshop.jobrun("wait", "299").status == 0)
    let lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
    #expect(Set(lines) == Set((1...300).map { "\($0) \($0 * 2) \($0)" }))
    #expect(lines.count == 300)
    #expect(try workshop.show(7).title == "many 7 14")
    #expect(try workshop.show(7).identifier == "io.jobrun.run.many.7")
    #expect(try workshop.show(7).terms.command?.suffix(2) == ["7", "14"])
    try send("true", inputs, key: key)
    #expect(try client.line() == #"{"id":1,"ok":{"first":1,"count":300,"duplicate":true}}"#)
  }

  @Test func `what they share survives a killed runner, and is stored once`() throws {
    let large = "LARGE=" + String(repeating: "x", count: 100_000)
    let script = "test -e go || exit 3; test ${#LARGE} = 100000"
    try send(script, (1...200).map { ["\($0)"] }, key: key(), environment: [large])
    #expect(try client.line().contains(#""first":1,"count":200"#))
    try workshop.killRunner()
    #expect(try workshop.jobrun("wait", "200").status == 3)
    let database = workshop.sandbox.home + "/state/jobrun.db"
    let bytes = [database, database + "-wal"].compactMap { try? File.status($0)?.size }
    #expect(bytes.reduce(0, +) < 100_000 * 100)
    try workshop.sandbox.write("", to: "go")
    #expect(try workshop.jobrun("redo", "200").status == 0)
    #expect(try workshop.jobrun("wait", "200").status == 0)
    #expect(try workshop.show(200).attempt == 2)
  }

  @Test func `whoever asks after the end is told the exit code of the first that failed`() throws {
    try send("exit $0", ["0", "7", "5"].map { [$0] }, key: key())
    #expect(try client.line().contains(#""first":1,"count":3"#))
    for number in 1...3 { try workshop.jobrun("wait", "\(number)") }
    try client.send(
      RequestLine(id: 2, .followMany(.range(JobRange(first: JobNumber(1), count: 3)))))
    #expect(try client.line().contains(#""failed":2,"cancelled":0,"firstFailed":2,"exitCode":7"#))
  }

  @Test func `how all ended is known though the history keeps only a few of them`() throws {
    try Data(#"{"historyLimit": {"count": 10}}"#.utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    try send("exit $0", (1...30).map { [$0 == 7 ? "7" : "0"] }, key: key())
    #expect(try client.line().contains(#""first":1,"count":30"#))
    for number in 1...30 { try workshop.jobrun("wait", "\(number)") }
    #expect(try workshop.jobrun("runner", "restart").status == 0)
    let kept = try workshop.jobrun("list", "--all", "--format", "number").output
    #expect(kept.split(separator: "\n").count == 10)
    let client = try ProtocolTests.RawClient(workshop)
    try client.send(
      RequestLine(id: 2, .followMany(.range(JobRange(first: JobNumber(1), count: 30)))))
    let told = #""live":0,"running":[],"succeeded":29,"failed":1,"cancelled":0,"firstFailed":7,"#
    #expect(try client.line().contains(told + #""exitCode":7"#))
  }

  /// The question is among more requests than are read at once, and served as their answers are written.
  @Test func `whoever asks in the moment of the ends is told that all have ended`() throws {
    try workshop.jobrun("slots", "1")
    try workshop.jobrun("run", "--detach", "--", "sleep", "1000")
    let count = Limits.requestsAtOnce
    try send("true", (1...count).map { ["\($0)"] }, key: key())
    #expect(try client.line().contains(#""first":2,"#))
    var bytes: [UInt8] = []
    for id in 2...UInt64(count) + 1 {
      RequestLine(id: id, .cancel(.number(JobNumber(id)), now: false)).append(to: &bytes)
    }
    let range = JobRange(first: JobNumber(2), count: count)
    RequestLine(id: 1, .followMany(.range(range))).append(to: &bytes)
    try client.connection.sendAll(bytes)
    for _ in 1...count { #expect(try client.line().contains(#""ok""#)) }
    let told = #""live":0,"running":[],"succeeded":0,"failed":0,"cancelled":\#(count)"#
    #expect(try client.line().contains(told))
    try workshop.jobrun("cancel", "1", "--now")
  }

  @Test func `what came beside the line has to be what the line says`() throws {
    try send("true", [["a"], ["b", "c"]], key: key())
    #expect(try client.line().contains("2 jobs with 1 inputs each came with 3 inputs"))
    #expect(try workshop.jobrun("list", "--all").output.isEmpty)
    var bytes: [UInt8] = []
    let request = SubmitRequest(
      key: key(), identifier: "io.jobrun.run.many", title: "many", speaksPage: false)
    RequestLine(id: 2, .submitMany(ManyRequest(request, count: 1, width: 1))).append(to: &bytes)
    try client.connection.sendAll(bytes)
    #expect(try client.line().contains("badFrame"))
  }

  /// The runner stands still until all of them are there.
  @Test func `many requests of one client are one commit`() throws {
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGSTOP)
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: [Array("/bin/true".utf8)], environment: [])
    for id in 1...40 as ClosedRange<UInt64> {
      let key = key()
      let request = SubmitRequest(
        key: key, identifier: "io.jobrun.run.n\(key)", title: "n", speaksPage: false)
      var bytes: [UInt8] = []
      RequestLine(id: id, .submit(request)).append(to: &bytes)
      let memory = try MemoryFile.make(specification.encoded())
      try client.connection.sendAll(bytes, passing: memory.number)
    }
    kill(runner, SIGCONT)
    for _ in 1...40 { #expect(try client.line().contains("\"ok\"")) }
    let told = try workshop.feed(until: "ended", of: 40)
    let accepted = told.split(separator: "\n").filter { $0.contains("\"event\":\"submitted\"") }
    let times = accepted.compactMap { line in
      line.range(of: "\"at\":").map { line[$0.upperBound...].prefix(26) }
    }
    #expect(times.count == 40)
    #expect(Set(times).count == 1)
  }
}
