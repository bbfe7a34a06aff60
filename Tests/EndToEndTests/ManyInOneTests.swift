import Foundation
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
    #expect(
      try client.line()
        == #"{"id":1,"ok":{"kind":"submittedMany","first":1,"count":300,"duplicate":false}}"#)
    // One that began early may be the last to end.
    #expect(try workshop.jobrun("wait", "1-300").status == 0)
    let lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
    #expect(Set(lines) == Set((1...300).map { "\($0) \($0 * 2) \($0)" }))
    #expect(lines.count == 300)
    #expect(try workshop.show(7).title == "many 7 14")
    #expect(try workshop.show(7).identifier == "io.jobrun.run.many.7")
    #expect(try workshop.show(7).terms.command?.suffix(2) == ["7", "14"])
    try send("true", inputs, key: key)
    #expect(
      try client.line()
        == #"{"id":1,"ok":{"kind":"submittedMany","first":1,"count":300,"duplicate":true}}"#)
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
}
