import Foundation
import Glibc
import JobPage
import LinuxSystem
import TestKit
import Testing

/// A scripted run of a real runner: the bytes on the wire, the feed and the store, without the parts that
/// differ from run to run.
final class GoldenRun {
  let workshop: Workshop
  private var client: ProtocolTests.RawClient
  private var feed: ProtocolTests.RawClient
  private var lastID: UInt64 = 0
  private var gates: [Int32] = []
  /// Requests and their answers.
  private(set) var wire: [String] = []
  /// The feed as received live; it continues across a restart.
  private(set) var told: [String] = []

  init() throws {
    workshop = try Workshop(slots: 1)
    #expect(try workshop.jobrun("list").status == 0)
    client = try ProtocolTests.RawClient(workshop)
    feed = try ProtocolTests.RawClient(workshop)
    try listen(since: 0)
  }

  deinit { for gate in gates { close(gate) } }

  // MARK: Asking

  /// Sends a request and gives the number of lines that answer it to the transcript.
  func ask(_ request: String, lines: Int = 1, running script: String? = nil) throws {
    try tell(request, running: script)
    for _ in 0..<lines { wire.append("< " + neutral(try client.line())) }
  }

  /// Sends a request; a script makes it a submission of `sh -c SCRIPT`.
  private func tell(_ request: String, running script: String?) throws {
    lastID += 1
    wire.append("> " + neutral(request))
    let line = Array("{\"v\":1,\"id\":\(lastID),\(request)}\n".utf8)
    guard let script else { return try client.connection.sendAll(line) }
    let specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: ["/bin/sh", "-c", script].map { Array($0.utf8) },
      environment: [Array("PATH=/usr/bin:/bin".utf8)])
    let descriptor = try MemoryFile.make(specification.encoded())
    try client.connection.sendAll(line, passing: descriptor.number)
  }

  /// Submits a job under the identifier `org.example.golden.NAME`; `more` are further terms.
  func submit(
    _ key: String, _ name: String, _ more: String = "", running script: String? = nil
  ) throws {
    try ask(
      "\"op\":\"submit\",\"job\":{\"key\":\"goldenkey0000000\(key)\","
        + "\"identifier\":\"org.example.golden.\(name)\",\"title\":\"Job \(key)\","
        + "\"speaksPage\":false,\"graceMs\":600000\(more)}", running: script)
  }

  /// Reads the answer to `request` on a separate connection, up to the first line with `text`.
  func overhear(_ request: String, until text: String, meanwhile body: () throws -> Void) throws {
    let other = try ProtocolTests.RawClient(workshop)
    wire.append("other> " + neutral(request))
    try other.send("{\"v\":1,\"id\":1,\(request)}\n")
    var line = try other.line()
    wire.append("other< " + neutral(line))
    line = try other.line()
    wire.append("other< " + neutral(line))
    try body()
    while !line.contains(text) {
      line = try other.line()
      wire.append("other< " + neutral(line))
    }
  }

  // MARK: Waiting

  private func listen(since sequence: UInt64) throws {
    try feed.send(
      "{\"v\":1,\"id\":1,\"op\":\"feed\",\"since\":\(sequence),\"progressHz\":0}\n")
    _ = try feed.line()
  }

  /// Reads the feed up to this event.
  func await(_ kind: String, of number: Int) throws {
    let wanted = "\"event\":\"\(kind)\",\"job\":{\"number\":\(number),"
    while true {
      let line = try feed.line()
      told.append(neutral(line))
      if line.contains(wanted) { return }
    }
  }

  /// Replaces the runner; `killing`: as after a crash, without a goodbye.
  func changeRunner(killing: Bool, meanwhile body: () throws -> Void = {}) throws {
    let runner = try RestartTests.runner(workshop)
    if killing {
      kill(runner, SIGKILL)
    } else {
      try ask("\"op\":\"stop\",\"restart\":true")
    }
    try WaitFor.end(ofProcess: runner)
    try body()
    #expect(try workshop.jobrun("list").status == 0)
    client = try ProtocolTests.RawClient(workshop)
    feed = try ProtocolTests.RawClient(workshop)
    try listen(since: UInt64(told.count))
  }

  // MARK: Gates

  /// The path of a named pipe from which a job reads the line that releases it.
  func gate(_ name: String) throws -> String {
    let path = workshop.sandbox.path("gate.\(name)")
    if !FileManager.default.fileExists(atPath: path) { #expect(unsafe mkfifo(path, 0o600) == 0) }
    return path
  }

  func open(_ name: String) throws {
    let gate = unsafe Glibc.open(try gate(name), O_RDWR | O_CLOEXEC)
    try #require(gate >= 0)
    gates.append(gate)
    #expect(unsafe write(gate, "go\n", 3) == 3)
  }

  // MARK: Comparing

  /// The feed as read from the beginning.
  func replayed() throws -> [String] {
    let reader = try ProtocolTests.RawClient(workshop)
    try reader.send("{\"v\":1,\"id\":1,\"op\":\"feed\",\"since\":0,\"progressHz\":0}\n")
    _ = try reader.line()
    return try told.map { _ in neutral(try reader.line()) }
  }

  /// The tables of the store, once no runner has it open.
  func stored() throws -> [String] {
    try workshop.killRunner()
    let database = workshop.sandbox.home + "/state/jobrun.db"
    let changing = [
      "submittedMs", "startedMs", "endedMs", "runningSinceNs", "delay.untilNs", "delay.untilMs",
      "stalledSinceNs", "stopDeadlineNs", "spentNs", "pid", "host.pid", "host.startTime",
    ].map { "'$.\($0)', 1" }
    let measured = [
      "cpuUs", "maxResidentBytes", "bytesRead", "bytesWritten", "processorMj", "gpuMj",
    ].map { "'$.\($0)'" }
    let sql =
      "UPDATE jobs SET ended_ms = CASE WHEN ended_ms IS NULL THEN NULL ELSE 1 END,"
      + " record = json_replace(json_remove(record, \(measured.joined(separator: ", "))),"
      + " \(changing.joined(separator: ", ")));"
      + " UPDATE events SET at_ms = 1;"
      + " UPDATE notes SET value = 'x';\n.dump"
    let dumped = try workshop.sandbox.run("sqlite3", [database], input: sql)
    #expect(dumped.status == 0, "\(dumped.errors)")
    return dumped.output.split(separator: "\n").map { neutral(String($0)) }
  }

  /// A line without the parts that differ from run to run.
  private func neutral(_ line: String) -> String {
    var line = line
    for (path, name) in [(workshop.sandbox.root, "ROOT"), (BuiltProducts.folder, "BIN")] {
      line = line.replacingOccurrences(of: path, with: name)
      let digits = path.utf8.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
      line = line.replacingOccurrences(of: digits, with: name)
    }
    let patterns = [
      (#"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z"#, "TIME"),
      (
        #""(pid|cpuSeconds|maxResidentBytes|bytesRead|bytesWritten|processorJoules|gpuJoules|rate|eta|changed|interval)":("TIME"|[0-9.]+|null)"#,
        #""$1":0"#
      ),
      (#"process [0-9]+"#, "process N"),
      // Fields are only ever added: a new field that is null for these jobs is no change.
      (#"("environment":\[[^\]]*\])(,"[a-zA-Z]+":null)+"#, "$1"),
    ]
    for (pattern, template) in patterns {
      line = line.replacingOccurrences(
        of: pattern, with: template, options: .regularExpression)
    }
    return line
  }
}
