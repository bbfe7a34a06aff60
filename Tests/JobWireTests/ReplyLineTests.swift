import JobCore
import JobWire
import Testing

@Suite struct ReplyLineTests {
  private func written(_ reply: ReplyLine) -> String {
    var bytes: [UInt8] = []
    reply.append(to: &bytes)
    return text(bytes)
  }

  @Test func `replies have their golden bytes`() {
    let json = text(Samples.queued.json)
    #expect(written(.ok(id: 7, .empty)) == #"{"id":7,"ok":{"kind":"empty"}}"# + "\n")
    #expect(written(.ok(id: 7, .count(3))) == #"{"id":7,"ok":{"kind":"count","count":3}}"# + "\n")
    #expect(
      written(.ok(id: 7, .submitted(Samples.queued, kept: false, duplicate: true)))
        == #"{"id":7,"ok":{"kind":"submitted","job":"# + json + #","kept":false,"duplicate":true}}"#
        + "\n")
    #expect(
      written(.ok(id: 7, .job(Samples.queued, message: "it stops")))
        == #"{"id":7,"ok":{"kind":"job","job":"# + json + #","message":"it stops"}}"# + "\n")
    #expect(written(.job(id: 7, Samples.queued)) == #"{"id":7,"job":"# + json + "}\n")
    #expect(
      written(.error(id: nil, WireError(.immediateRunIneligible, "2 slots \"taken\"")))
        == #"{"id":null,"error":{"code":"immediateRunIneligible","message":"2 slots \"taken\""}}"#
        + "\n")
  }

  @Test func `a job of the list that was asked for is passed on, and every other line is returned`()
    throws
  {
    func read(_ line: String) throws -> (line: RunnerLine?, jobs: [JobStatus]) {
      var jobs: [JobStatus] = []
      let other = try RunnerLine.read(Array(line.dropLast().utf8)[...], list: 7) { jobs.append($0) }
      return (other, jobs)
    }
    let own = try read(written(.job(id: 7, Samples.queued)))
    #expect(own.line == nil && own.jobs == [Samples.queued])
    let others: [ReplyLine] = [
      .job(id: 8, Samples.queued), .ok(id: 7, .count(3)),
      .ok(id: 7, .job(Samples.queued, message: nil)), .error(id: 7, WireError(.usage, "no")),
    ]
    for reply in others {
      let other = try read(written(reply))
      #expect(other.line == .reply(reply) && other.jobs == [])
    }
    #expect(throws: WireError.self) { try read(#"{"id":7,"job":{"number":1}}"# + "\n") }
    #expect(throws: WireError.self) { try read(#"{"id":7,"job":[]}"# + "\n") }
    #expect(throws: WireError.self) { try read(#"{"id":"7","job":{}}"# + "\n") }
  }

  @Test func `a machine's resources are written as documented`() {
    let device = #"{"uuid":"GPU-8c18","name":"NVIDIA T4","memoryTotal":17179869184,"#
    // A field that is there only if the driver did not answer.
    var report = Samples.resources
    #expect(text(report.json).contains(#""why":"NVML answered","unanswered":true,"devices":["#))
    report.gpusAreKnown = true
    #expect(
      text(report.json) == #"""
        {"gpu":{"available":true,"why":"NVML answered","devices":[\#
        \#(device)"memoryFree":16106127360,"utilisation":40,"processes":1,"leasedBy":7},\#
        \#(device)"memoryFree":16106127360,"utilisation":null,"processes":1,"leasedBy":null}]},\#
        "power":{"holds":true,"why":"no battery"},\#
        "network":{"holds":false,"why":"no default route"},\#
        "memory":{"total":100,"available":50,"why":"MemAvailable","reserved":25},\#
        "disk":{"total":1000,"free":500,"why":"statvfs"},\#
        "processors":{"count":2,"why":"the cgroup allows 2","reserved":1},"slots":{"total":2,"used":1},\#
        "pressure":{"cpu":0.5,"memory":0,"io":12.25},\#
        "counted":[{"name":"licence","total":2,"used":1}]}
        """#)
  }

  @Test(arguments: [
    ReplyLine.ok(id: 1, .empty), .ok(id: 1, .count(0)), .ok(id: 1, .count(2, isHeld: true)),
    .ok(id: 1, .submitted(Samples.full, kept: true, duplicate: false)),
    .ok(id: 1, .job(Samples.full, message: nil)), .ok(id: 1, .job(Samples.full, message: "m")),
    .ok(id: 1, .resources(Samples.resources)), .ok(id: 1, .status(Samples.status)),
    .job(id: 2, Samples.full), .error(id: nil, WireError(.badFrame, "x")),
    .error(id: 3, WireError(.internal, "y")),
  ])
  func `a reply comes back as it was written`(reply: ReplyLine) throws {
    #expect(try RunnerLine(line: line(String(written(reply).dropLast()))) == .reply(reply))
  }

  @Test func `an error of a later runner keeps its sentence`() throws {
    let later = #"{"id":3,"error":{"code":"tooMoody","message":"come back tomorrow"}}"#
    #expect(
      try RunnerLine(line: line(later))
        == .reply(.error(id: 3, WireError(.internal, "come back tomorrow"))))
  }

  @Test(
    arguments: [
      (ErrorCode.usage, 64), (.badFrame, 64), (.unknownOperation, 64), (.notFound, 66),
      (.unavailable, 69), (.internal, 70), (.cannotCreate, 73), (.alreadyRunning, 73),
      (.immediateRunIneligible, 75), (.tooManyPendingTaskRequests, 75), (.notPermitted, 77),
    ] as [(ErrorCode, Int32)])
  func `each error has its exit code`(code: ErrorCode, exit: Int32) {
    #expect(code.exitCode == exit)
  }

  @Test(
    arguments: [
      (Outcome.succeeded, nil, 0), (.failed, nil, 1), (.failed, 0, 1), (.failed, 3, 3),
      (.failed, 63, 63), (.failed, 64, 1), (.failed, 255, 1), (.cancelled, 0, 130),
      (.expired, nil, 124), (.interrupted, nil, 76), (.refused, nil, 69), (.succeeded, 9, 0),
    ] as [(Outcome, Int32?, Int32)])
  func `each outcome has its exit code`(outcome: Outcome, worker: Int32?, exit: Int32) {
    var job = Samples.queued
    #expect(ExitCode.of(job) == nil)
    job.outcome = outcome
    job.exitCode = worker
    #expect(ExitCode.of(job) == exit)
  }
}
