import JobCore
import JobWire
import Testing

@Suite struct RequestLineTests {
  private static func identifier(_ text: String) throws -> JobReference { try JobReference(text) }

  @Test(arguments: [
    ("show", Request.show(.number(JobNumber(12))), #""ref":"12""#),
    ("redo", .redo(.number(JobNumber(12))), #""ref":"12""#),
    ("forget", .forget(.number(JobNumber(12))), #""ref":"12""#),
    ("list", .list(all: true), #""all":true"#),
    ("list", .list(all: true, brief: true), #""all":true,"brief":true"#),
    (
      "list", .list(all: false, brief: true, folded: true),
      #""all":false,"brief":true,"folded":true"#
    ),
    ("list", .list(all: false, group: GroupName("render")), #""all":false,"group":"render""#),
    ("cancel", .cancel(.one(.number(JobNumber(1))), now: true), #""ref":"1","now":true"#),
    ("cancel", .cancel(.all, now: true), #""all":true,"now":true"#),
    (
      "cancel", .cancel(.all, now: false, reason: "wrong data", signal: 2),
      #""all":true,"now":false,"reason":"wrong data","signal":2"#
    ),
    (
      "cancel", .cancel(.some(.range(JobRange(first: JobNumber(3), count: 2))), now: true),
      #""first":3,"count":2,"now":true"#
    ),
    (
      "followMany", .followMany(.range(JobRange(first: JobNumber(3), count: 2))),
      #""first":3,"count":2"#
    ),
    ("cancel", .cancel(.some(Samples.group), now: false), #""group":"render","now":false"#),
    ("followMany", .followMany(Samples.group), #""group":"render""#),
    ("pause", .pause(.some(Samples.group), keepSlot: true), #""group":"render","keepSlot":true"#),
    (
      "pause", .pause(.one(.number(JobNumber(1))), keepSlot: false, length: .seconds(600)),
      #""ref":"1","keepSlot":false,"forMs":600000"#
    ),
    ("resume", .resume(.some(Samples.group)), #""group":"render""#),
    ("withdraw", .withdraw(.number(JobNumber(1))), #""ref":"1""#),
    ("answer", .answer(.number(JobNumber(1)), continues: false), #""ref":"1","continue":false"#),
    (
      "follow", .follow([.number(JobNumber(1)), .number(JobNumber(2))], attach: true),
      #""refs":["1","2"],"attach":true"#
    ),
    ("feed", .feed(since: 7, progressHertz: 10), #""since":7,"progressHz":10"#),
    ("feed", .feed(since: nil, progressHertz: 0), #""since":null,"progressHz":0"#),
    (
      "follow", .follow([.number(JobNumber(1))], attach: true, brief: true),
      #""refs":["1"],"attach":true,"brief":true"#
    ),
    (
      "feed", .feed(since: 7, progressHertz: 10, brief: true),
      #""since":7,"progressHz":10,"brief":true"#
    ),
    ("stop", .stop(restart: true), #""restart":true"#),
    ("stop", .stop(restart: false, discard: true), #""restart":false,"discard":true"#),
    (
      "simulate", .simulate(.expire, .number(JobNumber(3))), #""what":"expire","ref":"3""#
    ),
    ("hold", .hold(.number(JobNumber(12))), #""ref":"12""#),
    ("release", .release(.number(JobNumber(12))), #""ref":"12""#),
    ("move", .move(.number(JobNumber(12)), behind: nil), #""ref":"12""#),
    (
      "move", .move(.number(JobNumber(12)), behind: .number(JobNumber(3))),
      #""ref":"12","behind":"3""#
    ),
    (
      "edit", .edit(.number(JobNumber(12)), Samples.edit),
      #""ref":"12","title":"Trip","subtitle":"","priority":"low","after":[3],"afterAny":[5],"#
        + #""limitMs":3600000,"graceMs":2000,"retries":3,"retryDelayMs":0,"requires":["gpu","cpu=4","#
        + #""gpu-memory=8G","memory=1G","disk=2G","network","power"],"group":"render","#
        + #""notBefore":"2026-03-01T12:34:56.789Z","directory":"/trip","environment":["A=1"]"#
    ),
    (
      "redo", .redo(.number(JobNumber(12)), hold: true, Samples.editBack),
      #""ref":"12","hold":true,"after":[],"afterAny":[],"notBefore":"now""#
    ),
    (
      "edit", .edit(.number(JobNumber(12)), Samples.editBack),
      #""ref":"12","after":[],"afterAny":[],"notBefore":"now""#
    ),
  ])
  func `a request has its golden bytes and comes back`(
    operation: String, request: Request, arguments: String
  ) throws {
    let written = Samples.bytes(RequestLine(id: 7, request))
    #expect(text(written) == #"{"v":1,"id":7,"op":"\#(operation)",\#(arguments)}"# + "\n")
    #expect(try RequestLine(line: written.dropLast()) == RequestLine(id: 7, request))
  }

  @Test func `a submission has its golden bytes and comes back`() throws {
    let written = Samples.bytes(RequestLine(id: 1, .submit(Samples.submission)))
    #expect(
      text(written) == """
        {"v":1,"id":1,"op":"submit","job":{"key":"0123456789abcdefXYZ",\
        "identifier":"io.jobrun.samples.export.k3f9","definition":"export","title":"Trip 2026",\
        "subtitle":"photos","strategy":"fail","ifExists":"keep","requirements":{"gpus":1,\
        "gpuMemory":8589934592,"processors":4,"memory":1073741824,"disk":2147483648,\
        "network":true,"power":true},"speaksPage":true,"onStall":"stop","stallAfterMs":5000,\
        "silentAfterMs":120000,"graceMs":0,"limitMs":3600000,"resumable":true,"retries":2,\
        "observation":"none","kind":"processing","priority":"normal","bundle":"io.jobrun.samples",\
        "notBefore":"2026-03-01T12:34:56.789Z","after":[3,12],\
        "onEnd":"echo \\"$JOBRUN_JOB\\""}}

        """)
    #expect(
      try RequestLine(line: written.dropLast()) == RequestLine(id: 1, .submit(Samples.submission)))
  }

  @Test(arguments: [Request.resources(), .status])
  func `a request without arguments comes back`(request: Request) throws {
    let written = Samples.bytes(RequestLine(id: .max, request))
    #expect(try RequestLine(line: written.dropLast()) == RequestLine(id: .max, request))
  }

  @Test func `what a client leaves out has its usual value`() throws {
    let feed = try RequestLine(line: line(#"{"v":1,"id":1,"op":"feed"}"#))
    #expect(feed.request == .feed(since: nil, progressHertz: 10))
    let fast = try RequestLine(line: line(#"{"v":1,"id":1,"op":"feed","progressHz":100000}"#))
    #expect(fast.request == .feed(since: nil, progressHertz: Limits.progressHertz))
    let list = try RequestLine(line: line(#"{"v":1,"id":1,"op":"list","later":[]}"#))
    #expect(list.request == .list(all: false))
  }

  @Test(arguments: [
    #""ref":"1","all":true,"now":true"#, #""ref":"1","group":"render","now":true"#,
    #""ref":"1","first":1,"count":3,"now":true"#,
  ])
  func `of several targets the narrowest counts`(_ fields: String) throws {
    let read = try RequestLine(line: line(#"{"v":1,"id":7,"op":"cancel",\#(fields)}"#))
    #expect(read.request == .cancel(.one(.number(JobNumber(1))), now: true))
  }

  @Test(arguments: [
    ("hello", nil, ErrorCode.badFrame, "not JSON"),
    ("", nil, .badFrame, "not JSON"),
    ("[1]", nil, .badFrame, "must be an object"),
    (#"{"v":1,"id":7,"op":"fly"}"#, 7, .unknownOperation, #""fly" is not an operation"#),
    (#"{"v":1,"id":7,"op":"lists"}"#, 7, .unknownOperation, "did you mean list"),
    (#"{"v":2,"id":7,"op":"list"}"#, 7, .badFrame, "version 2"),
    (#"{"id":7,"op":"list"}"#, 7, .usage, #""v" is missing"#),
    (#"{"v":1,"op":"list"}"#, nil, .usage, #""id" is missing"#),
    (#"{"v":1,"id":"x","op":"list"}"#, nil, .usage, #""id" must be a whole number"#),
    (#"{"v":1,"id":-1,"op":"list"}"#, nil, .usage, #""id" must be a whole number"#),
    (#"{"v":1,"id":7}"#, 7, .usage, #""op" is missing"#),
    (#"{"v":1,"id":7,"op":"show"}"#, 7, .usage, #""ref" is missing"#),
    (#"{"v":1,"id":7,"op":"cancel"}"#, 7, .usage, #""ref" is missing"#),
    (#"{"v":1,"id":7,"op":"pause","all":false}"#, 7, .usage, #""ref" is missing"#),
    (#"{"v":1,"id":7,"op":"cancel","first":0,"count":2}"#, 7, .usage, "2 jobs from 0 on are no"),
    (#"{"v":1,"id":7,"op":"show","ref":5}"#, 7, .usage, #""ref" must be a string"#),
    (#"{"v":1,"id":7,"op":"show","ref":"0"}"#, 7, .usage, "numbers start at 1"),
    (#"{"v":1,"id":7,"op":"show","ref":"a..b"}"#, 7, .usage, "two dots"),
    (#"{"v":1,"id":7,"op":"submit","job":3}"#, 7, .usage, #""job" must be an object"#),
    (#"{"v":1,"id":7,"op":"submit","job":{"key":"k"}}"#, 7, .usage, #""job.identifier" is"#),
    (
      #"{"v":1,"id":7,"op":"simulate","ref":"1","what":"explode"}"#, 7, .usage,
      #""what" must be one of expire, stall, launch"#
    ),
  ])
  func `a bad line is answered with what is wrong, under its number when it has one`(
    bad: String, id: UInt64?, code: ErrorCode, part: String
  ) {
    do throws(RequestLineError) {
      let read = try RequestLine(line: line(bad))
      Issue.record("\(bad) was read as \(read)")
    } catch {
      #expect(error.id == id)
      #expect(error.error.code == code)
      #expect(error.error.message.contains(part), "\(error.error.message)")
    }
  }
}
