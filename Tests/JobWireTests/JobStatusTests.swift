import JobCore
import JobWire
import Testing

@Suite struct JobStatusTests {
  @Test func `a queued job has every field, in the documented order, null when absent`() {
    #expect(
      text(Samples.queued.json) == """
        {"number":12,"identifier":"io.jobrun.run.k3f9","definition":null,"title":"Trip 2026",\
        "subtitle":"","state":"queued","outcome":null,"stopReason":null,"pendingReason":null,\
        "position":null,"prompt":null,"progress":null,"message":null,"attempt":0,"exitCode":null,\
        "signal":null,"pid":null,"submitted":"2026-03-01T12:34:56.789Z","started":null,\
        "ended":null,"cpuSeconds":null,"maxResidentBytes":null,"log":"/s/logs/12.log","gpus":[],\
        "warning":null,"attached":0,"stateDirectory":"/s/state/12","kind":"continued",\
        "earliest":null,"requires":[],"after":[],"onEnd":null,\
        "quietUntil":null,"command":null,"directory":null,"afterAny":[],"stdin":null,"recurs":null,\
        "environment":[],"priority":"normal","group":null,"limits":[],"afterOne":[],"paused":null,"controlGroup":null,\
        "bytesRead":null,"bytesWritten":null,"engine":null,"engineJob":null,"node":null,"pool":null,\
        "processorJoules":null,"gpuJoules":null,"options":null,"bytesSent":null,"stdout":null,"stderr":null,"batchSize":null,"send":[],"fetch":[]}
        """)
  }

  @Test func `a job with everything set is written as documented`() {
    #expect(
      text(Samples.full.json) == #"""
        {"number":12,"identifier":"io.jobrun.run.k3f9","definition":"export","title":"Trip 2026",\#
        "subtitle":"IMG \"7\"\\\n\u001b[31m ✈","state":"stopping","outcome":"expired",\#
        "stopReason":{"code":"silent","message":"no sign of life for 2m"},\#
        "pendingReason":{"code":"gpu","message":"job 3 holds the GPU"},"position":1,\#
        "prompt":{"question":"Continue?","since":"2026-03-01T12:34:56.789Z"},\#
        "progress":{"completed":1,"total":9,"unit":"bytes","fraction":0.111111,"rate":1234.5,\#
        "eta":0.25,"source":"osc","recogniser":null,"changed":"2026-03-01T12:34:56.789Z",\#
        "interval":15.5,"note":null,"etaLeast":null,"etaMost":null,"line":null},"message":"it said so","attempt":2,\#
        "exitCode":0,"signal":9,"pid":4194303,"submitted":"2026-03-01T12:34:56.789Z",\#
        "started":"2026-03-01T12:34:57.000Z","ended":"2026-03-01T12:34:59.001Z","cpuSeconds":1.5,\#
        "maxResidentBytes":9663676416,"log":"/s/logs/12.log","gpus":["GPU-8c18","GPU-0000"],\#
        "warning":"its page makes no sense","attached":3,"stateDirectory":"/s/state/12",\#
        "kind":"processing","earliest":"2026-03-01T12:34:56.789Z","requires":["network","power"],\#
        "after":[3,12],"onEnd":"echo \"$JOBRUN_JOB\"","quietUntil":"2026-03-01T12:35:59.001Z",\#
        "command":["sh","-c","echo \"ü\""],"directory":"/home/a b","afterAny":[2],"stdin":"copy",\#
        "recurs":{"everySeconds":86400,"at":"03:00","days":null},"environment":["PYTHONUNBUFFERED=1"],\#
        "priority":"high","group":"render","limits":[],"afterOne":[],"paused":{"since":"2026-03-01T12:34:56.789Z","seconds":1.5,"until":"2026-03-01T12:44:56.789Z"},\#
        "controlGroup":true,"bytesRead":4096,"bytesWritten":512,"engine":"cluster",\#
        "engineJob":"4711","node":"n1","pool":null,"processorJoules":7.25,"gpuJoules":1200,\#
        "options":{"strategy":"queue","ifExists":"refuse","requirements":{"gpus":0,"gpuMemory":0,\#
        "processors":0,"memory":0,"disk":0,"network":false,"power":false},"speaksPage":true,\#
        "onStall":"ask","stallAfterMs":30000,"silentAfterMs":null,"graceMs":10000,"limitMs":90000,\#
        "resumable":false,"retries":0,"observation":"none","kind":"continued","priority":"normal"},"bytesSent":3000,"stdout":null,"stderr":null,"batchSize":null,"send":[],"fetch":[]}
        """#)
  }

  @Test func `in a brief list a job has what a table shows and is there`() throws {
    func written(_ job: JobStatus) -> String {
      var bytes: [UInt8] = []
      ReplyLine.appendBrief(id: 7, job, to: &bytes)
      return text(bytes)
    }
    #expect(
      written(Samples.queued) == """
        {"id":7,"job":{"number":12,"identifier":"io.jobrun.run.k3f9","title":"Trip 2026",\
        "state":"queued","submitted":"2026-03-01T12:34:56.789Z"}}

        """)
    #expect(
      written(Samples.full) == #"""
        {"id":7,"job":{"number":12,"identifier":"io.jobrun.run.k3f9","definition":"export",\#
        "title":"Trip 2026","state":"stopping","outcome":"expired",\#
        "stopReason":{"code":"silent","message":"no sign of life for 2m"},\#
        "pendingReason":{"code":"gpu","message":"job 3 holds the GPU"},"position":1,\#
        "prompt":{"question":"Continue?","since":"2026-03-01T12:34:56.789Z"},\#
        "progress":{"completed":1,"total":9,"unit":"bytes","fraction":0.111111,"rate":1234.5,\#
        "eta":0.25,"source":"osc","recogniser":null,"changed":"2026-03-01T12:34:56.789Z",\#
        "interval":15.5,"note":null,"etaLeast":null,"etaMost":null,"line":null},"submitted":"2026-03-01T12:34:56.789Z",\#
        "started":"2026-03-01T12:34:57.000Z","ended":"2026-03-01T12:34:59.001Z",\#
        "warning":"its page makes no sense","earliest":"2026-03-01T12:34:56.789Z",\#
        "requires":["network","power"],"recurs":{"everySeconds":86400,"at":"03:00","days":null},\#
        "priority":"high","group":"render","engine":"cluster","paused":{"since":"2026-03-01T12:34:56.789Z","seconds":1.5,"until":"2026-03-01T12:44:56.789Z"}}}

        """#)
    var queued = Samples.queued
    (queued.log, queued.stateDirectory) = ("", "")
    let read = try RunnerLine(line: line(String(written(Samples.queued).dropLast())))
    #expect(read == .reply(.job(id: 7, queued)))
  }

  @Test(
    arguments: [
      ("-5", 2), ("0", 2), ("98", 99), ("9223372036854775807", 4_294_967_297),
    ] as [(String, Int)])
  func `a job of a folded list stands for as many as are possible`(
    count: String, listed: Int
  ) throws {
    let written =
      #"{"id":7,"job":{"number":12,"identifier":"a.b","title":"t","state":"queued","submitted":"#
    let rest = #""2026-03-01T12:34:56.789Z","folded":{"count":\#(count),"title":"t"}}}"#
    guard case .reply(.job(_, var job)) = try RunnerLine(line: line(written + rest)) else {
      Issue.record("no job was read")
      return
    }
    #expect(job.listedCount == listed)
    #expect(job.lastListed == JobNumber(UInt64(listed) + 11))
    job.number = JobNumber(.max)
    #expect(job.lastListed == JobNumber(.max))
  }

  @Test(arguments: [Samples.queued, Samples.full])
  func `a job comes back as it was written`(job: JobStatus) throws {
    #expect(try JobStatus(json: job.json[...]) == job)
  }

  @Test func `the largest counts survive`() throws {
    var job = Samples.queued
    job.progress = JobProgress(completed: .max, total: .max)
    job.number = JobNumber(.max)
    #expect(try JobStatus(json: job.json[...]) == job)
  }

  @Test func `fields that a later runner adds are ignored`() throws {
    let later = text(Samples.full.json).dropLast() + #","mood":{"good":[1,2]}}"#
    #expect(try JobStatus(json: line(String(later))) == Samples.full)
  }

  @Test func `a job is shown as done only when it is`() {
    let nearly = JobProgress(completed: 99_999_999, total: 100_000_000)
    #expect(nearly.fraction == 0.999999)
    #expect(JobProgress(completed: 5, total: 5).fraction == 1)
    #expect(JobProgress(completed: 7, total: 5).fraction == 1)
    #expect(JobProgress(completed: 7, total: 0).fraction == nil)
  }

  @Test func `a longest job fits one line`() {
    var job = Samples.full
    job.title = String(repeating: "\u{1}", count: Limits.titleBytes)
    job.subtitle = job.title
    #expect(job.json.count < Limits.lineBytes / 8)
  }
}
