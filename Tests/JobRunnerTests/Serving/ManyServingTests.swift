import JobCore
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Many jobs in one request, and many requests at once.
struct ManyServingTests {
  private let stage: RunnerStage
  private let client: RunnerStage.Client

  init() throws {
    stage = try RunnerStage(settings: #"{"slots": 1}"#)
    client = try stage.connect()
  }

  private static func request(_ name: String = "many") -> SubmitRequest {
    SubmitRequest(
      key: RandomBytes.hexadecimal(count: 16), identifier: "io.jobrun.run.\(name)",
      title: "many {}", speaksPage: false)
  }

  private static func specification(_ arguments: [String]) throws -> FileDescriptor {
    try MemoryFile.make(
      LaunchSpecification(
        directory: Array("/".utf8), arguments: arguments.map { Array($0.utf8) }, environment: []
      ).encoded())
  }

  private func send(_ id: UInt64, _ inputs: [[String]], as name: String = "many") throws {
    let many = ManyRequest(Self.request(name), count: inputs.count, width: inputs.first?.count ?? 1)
    let memory = try Self.specification(["true", "{}"])
    let lists = try MemoryFile.make(inputs.joined().flatMap { Array($0.utf8) + [0] })
    try client.connection.sendAll(
      RequestLine(id: id, .submitMany(many)).line, passing: memory.number, and: lists.number)
  }

  private func range(_ first: UInt64, _ count: Int) -> JobSelection {
    .range(JobRange(first: JobNumber(first), count: count))
  }

  @Test func `a question after the end gets the exit code of the first that failed`() throws {
    try send(1, [["a"], ["b"], ["c"]])
    #expect(
      try client.reply()
        == .ok(id: 1, .submittedMany(first: JobNumber(1), count: 3, duplicate: false)))
    for (number, code) in [(1, 0), (2, 7), (3, 5)] as [(UInt64, Int32)] {
      stage.executor.end(JobNumber(number), .exited(code))
      try client.send(2, .show(.number(JobNumber(number))))
      #expect(try client.job().exitCode == code)
    }
    try client.send(3, .followMany(range(1, 3)))
    var tally = JobTally(live: 0)
    (tally.succeeded, tally.failed) = (1, 2)
    (tally.firstFailed, tally.exitCode) = (JobNumber(2), 7)
    #expect(try client.reply() == .ok(id: 3, .tally(tally)))
  }

  /// The question is among more requests than are read at once, and served as their answers are written.
  @Test func `a question at the moment of the ends is answered that all have ended`() throws {
    #expect(try client.submit() == JobNumber(1))
    let count = Limits.requestsAtOnce
    try send(1, (1...count).map { ["\($0)"] })
    #expect(try client.line().contains(#""first":2,"#))
    var bytes: [UInt8] = []
    for id in 2...UInt64(count) + 1 {
      RequestLine(id: id, .cancel(.one(.number(JobNumber(id))), now: false)).append(to: &bytes)
    }
    RequestLine(id: 1, .followMany(range(2, count))).append(to: &bytes)
    try client.connection.sendAll(bytes)
    for _ in 1...count { #expect(try client.line().contains(#""ok""#)) }
    var tally = JobTally(live: 0)
    tally.cancelled = count
    let reply = try client.reply()
    #expect(reply == .ok(id: 1, .tally(tally)))
  }

  private func folded() throws -> [(number: UInt64, count: Int, title: String?)] {
    try client.send(50, .list(all: false, brief: true, folded: true))
    var rows: [(UInt64, Int, String?)] = []
    while true {
      switch try client.reply() {
      case .job(_, let job):
        rows.append((job.number.value, job.folded?.count ?? 0, job.folded?.title))
      case .ok(_, .count(let count, _)):
        #expect(count == rows.reduce(0) { $0 + 1 + $1.1 })
        return rows
      case let other: throw Overdue(awaited: "a list", limit: .zero, seen: "\(other)")
      }
    }
  }

  @Test func `a folded list has one line for those of a submission that wait`() throws {
    let count = 10_000
    try send(1, (1...count).map { ["\($0)"] })
    #expect(try client.line().contains(#""count":10000"#))
    #expect(try client.submit() == JobNumber(10_001))
    try send(2, [["10"], ["10"], ["10"]], as: "same")
    #expect(try client.line().contains(#""first":10002,"#))
    // The first runs; the others are looked at in two portions.
    var rows = try folded()
    #expect(rows.map(\.number) == [1, 2, 8_195, 10_001, 10_002])
    #expect(rows.map(\.count) == [0, 8_192, 1_805, 0, 2])
    #expect(rows.map(\.title) == [nil, "many ", "many ", nil, nil])
    // Held ones wait, too; those that left the line or the submission are not among them.
    try client.send(3, .hold(.number(JobNumber(4))))
    try client.send(4, .cancel(.one(.number(JobNumber(6))), now: false))
    for _ in 1...2 { #expect(try client.line().contains(#""ok""#)) }
    rows = try folded()
    #expect(rows.map(\.number) == [1, 2, 7, 8_200, 10_001, 10_002])
    #expect(rows.map(\.count) == [0, 3, 8_192, 1_800, 0, 2])
  }

  @Test func `what came beside the line has to be what the line says`() throws {
    try send(1, [["a"], ["b", "c"]])
    #expect(try client.line().contains("2 jobs with 1 inputs each came with 3 inputs"))
    try client.send(2, .submitMany(ManyRequest(Self.request(), count: 1, width: 1)))
    #expect(try client.line().contains("badFrame"))
    try client.send(3, .list(all: true))
    #expect(try client.reply() == .ok(id: 3, .count(0)))
  }

  /// All of them are there before the runner reads.
  @Test func `many requests of one client are one commit`() throws {
    let file = try Self.specification(["true"])
    for id in 1...40 as ClosedRange<UInt64> {
      var request = Self.request()
      request.identifier = "io.jobrun.run.n\(id)"
      try client.connection.sendAll(
        RequestLine(id: id, .submit(request)).line, passing: file.number)
    }
    for _ in 1...40 { #expect(try client.line().contains("\"ok\"")) }
    let reader = try stage.connect()
    try reader.send(1, .feed(since: 0, progressHertz: 0))
    var times: [WallTime] = []
    while times.count < 40 {
      if case .feed(.event(_, let at, .submitted, _)) = try reader.message() { times.append(at) }
    }
    #expect(Set(times).count == 1)
  }

  @Test func `a number without a job says whether there ever was one`() throws {
    func sentence(_ number: UInt64) throws -> String {
      try client.send(8, .show(.number(JobNumber(number))))
      return try client.line()
    }
    #expect(try sentence(1).contains("there is no job 1: no job has been submitted yet"))
    stage.executor.end(try client.submit())
    #expect(try sentence(999).contains("there is no job 999: the highest number so far is 1\""))
    try client.send(2, .forget(.number(JobNumber(1))))
    #expect(try client.reply() == .ok(id: 2, .empty))
    #expect(try sentence(1).contains("there is no job 1 any more"))
  }
}
