import JobCore
import JobWire
import Testing

@testable import jobrun

/// The man page's description of the objects matches the output.
struct JSONGuideTests {
  private func names(_ json: [UInt8]) throws -> [String] {
    guard case .object(let members) = try JSONReader.value(of: json[...]) else { return [] }
    return members.map(\.name)
  }

  @Test func `the guide names the fields of a job in the order in which they are written`() throws {
    #expect(try names(Sample.job().json) == JSONGuide.job.map(\.name))
    let progress = JobProgress(completed: 1, total: 2)
    #expect(try names(progress.json) == JSONGuide.progress.map(\.name))
    var bytes: [UInt8] = []
    FeedLine.event(
      sequence: 1, at: WallTime(milliseconds: 0), .launched, Sample.job()
    ).append(to: &bytes)
    #expect(try names(bytes.dropLast()) == JSONGuide.feed.map(\.name))
  }

  @Test func `the guide names every state, outcome and kind of event`() throws {
    let words = JSONGuide.job.map(\.meaning).joined(separator: " ")
    for state in JobStatus.State.allCases { #expect(words.contains(state.rawValue)) }
    for outcome in Outcome.allCases { #expect(words.contains(outcome.rawValue)) }
    for kind in Submission.Kind.allCases { #expect(words.contains(kind.rawValue)) }
    let feed = JSONGuide.feed.map(\.meaning).joined(separator: " ")
    for kind in Announcement.Kind.allCases { #expect(feed.contains(kind.rawValue)) }
    let progress = JSONGuide.progress.map(\.meaning).joined(separator: " ")
    for unit in JobProgress.Unit.allCases { #expect(progress.contains(unit.rawValue)) }
  }

  @Test func `the help of resources names members that are there`() throws {
    let condition = Condition(holds: true, why: "")
    let amount = ResourcesReport.Amount(totalBytes: 0, freeBytes: 0, why: "")
    let report = ResourcesReport(
      gpuWhy: "", devices: [], power: condition, network: condition, memory: amount, disk: amount,
      processors: 1, processorsWhy: "", slotsTotal: 1, slotsUsed: 0, pressure: nil)
    let verb = try #require(Verb.all.first { $0.name == .resources })
    let shown = verb.json.matches(of: /"([a-z]+)"/).map { String($0.1) }
    #expect(shown == Array(try names(report.json).prefix(shown.count)))
  }

  @Test func `an error is an object with its code and its sentence`() throws {
    let error = WireError(.notFound, "there is no \"job\" 9")
    let text = String(decoding: error.json, as: UTF8.self)
    #expect(text == #"{"error":{"code":"notFound","message":"there is no \"job\" 9"}}"#)
  }
}

/// A job's output, split into lines for programs.
struct LogLinesTests {
  @Test func `lines come whole, whatever the portions are`() {
    let bytes = Array("one\ntwo\r\n\nthree é".utf8)
    for size in 1...bytes.count {
      var lines = LogLines()
      var pieces: [LogLines.Piece] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        pieces += lines.receive(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      if let last = lines.last() { pieces.append(last) }
      #expect(pieces.map(\.line) == [1, 2, 3, 4], "portions of \(size)")
      #expect(pieces.map(\.text) == ["one", "two\r", "", "three é"], "portions of \(size)")
      #expect(lines.last() == nil)
    }
  }

  @Test func `a line without end comes in pieces, and no character is cut`() {
    var lines = LogLines()
    let text = "a" + String(repeating: "é", count: LogLines.pieceBytes)
    var pieces = lines.receive(Array(text.utf8))
    pieces += lines.receive(Array("\nb\n".utf8))
    #expect(pieces.map(\.line) == [1, 1, 1, 2])
    #expect(pieces.dropLast().map(\.text).joined() == text)
    #expect(pieces.allSatisfy { $0.text.utf8.count <= LogLines.pieceBytes })
  }
}
