import JobCore
import JobRuntime
import JobWire
import Testing

/// A turn that the journal refuses: revoked, deferred, and announced parts.
@Suite struct RefusalTests {
  @Test func `what is accepted in a refused turn never was`() throws {
    var stage = try Stage()
    stage.fillDisk()
    try stage.submit("a")
    #expect(
      stage.settle() == ["a: cannotCreate, the job cannot be stored: no space is left"])
    #expect(stage.runtime.jobs.isEmpty && !stage.runtime.isHoldingBack)
    #expect(stage.runtime.scheduler.liveNumbers.isEmpty)
    #expect(stage.runtime.retryAt == nil, "a loop that has nothing to store would spin")
    stage.makeRoom()
    try stage.submit("a")
    #expect(
      stage.settle() == [
        "a again: accepted 2", "#1 2 submitted", "#2 2 launched", "launch 2.1",
      ])
  }

  @Test func `who pauses all is not told of a job that was taken back`() throws {
    var stage = try Stage()
    stage.fillDisk()
    try stage.submit("a")
    stage.pauseAll()
    #expect(
      stage.settle() == [
        "a: cannotCreate, the job cannot be stored: no space is left", "pause all: changedAll([])",
      ])
  }

  @Test func `of several that never were, none takes the place of another`() throws {
    var stage = try Stage()
    stage.fillDisk()
    for key in ["a", "b", "c"] { try stage.submit(key) }
    let told = stage.settle()
    #expect(told.count == 3 && told.allSatisfy { $0.contains("cannot be stored") }, "\(told)")
    #expect(stage.runtime.scheduler.liveNumbers.isEmpty && !stage.runtime.isHoldingBack)
  }

  @Test func `the same submission once more is not told of a job that was taken back`() throws {
    var stage = try Stage(slots: 2)
    try stage.submit("x", as: "same")
    _ = stage.settle()
    stage.fillDisk()
    try stage.submit("a")
    // It replaces a job, so it has a separate turn, and later events come after that.
    try stage.submit("y", as: "same") { $0.options.ifExists = .replace }
    try stage.submit("a")
    let told = stage.settle()
    #expect(!told.contains { $0.contains("accepted") || $0.contains("duplicate") }, "\(told)")
    #expect(stage.runtime.scheduler.liveNumbers == [JobNumber(1)])
  }

  @Test func `a submission is not told of a job that was taken back and had ended in its turn`()
    throws
  {
    var stage = try Stage(slots: 0)
    stage.fillDisk()
    try stage.submit("a", as: "same")
    try stage.submit("b", as: "same") { $0.options.ifExists = .replace }
    // A third one is still on its way, so that ended jobs are remembered by their keys.
    stage.runtime.drafts[stage.runtime.nextTag()] = Draft(try stage.job("c"))
    _ = stage.settle()
    #expect(try stage.runtime.job(withKey: "a", by: ScriptedJournal()) == nil)
  }

  @Test func `a launch that is not stored waits, and follows once there is room`() throws {
    var stage = try Stage()
    try stage.submit("a")
    try stage.submit("b")
    _ = stage.settle()
    stage.fillDisk()
    stage.finish(1)
    #expect(stage.settle() == [])
    #expect(stage.turn() == nil, "it is not tried again at once")
    stage.makeRoom()
    stage.pass(.seconds(1))
    #expect(stage.settle() == ["#4 1 ended", "#5 2 launched", "launch 2.1"])
    #expect(stage.runtime.retryAt == nil && !stage.runtime.isHoldingBack)
  }

  @Test func `a journal that takes long to refuse is not asked without end`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    stage.fillDisk()
    stage.finish(1)
    #expect(stage.settle() == [])
    stage.pass(.seconds(2))
    stage.runtime.putOffRetry(from: stage.moment.awake)
    #expect(stage.turn() == nil)
    stage.makeRoom()
    stage.pass(.seconds(1))
    #expect(stage.settle() == ["#3 1 ended"])
  }

  @Test func `what was refused comes before what happens later, in one batch`() throws {
    var stage = try Stage(slots: 2)
    try stage.submit("a")
    try stage.submit("b")
    _ = stage.settle()
    stage.fillDisk()
    stage.start(1)
    _ = stage.settle()
    stage.makeRoom()
    stage.start(2)
    #expect(stage.settle() == ["#5 1 started", "#6 2 started"])
  }

  @Test
  func `an end that is not stored is told as a warning, and whoever asked for it gets an error`()
    throws
  {
    var stage = try Stage(isDescribed: true)
    try stage.submit("a")
    try stage.submit("b")
    _ = stage.settle()
    stage.fillDisk()
    stage.cancel(2)
    #expect(
      stage.settle() == [
        "cancel 2: cannotCreate, job 2 has ended, and that cannot be stored yet: no space is left",
        "warned 2 running",
      ])
    let object = stage.runtime.object(of: JobNumber(2), at: stage.moment)
    #expect(object?.outcome == nil && object?.state == .running)
    stage.makeRoom()
    stage.pass(.seconds(1))
    #expect(stage.settle() == ["#4 2 ended"])
  }

  @Test func `what a waiting push is to tell now is stored with that there is something`() throws {
    var stage = try Stage()
    try stage.submit("work")
    try stage.submit("old", as: "news") { $0.options.kind = .push }
    _ = stage.settle()
    stage.fillDisk()
    try stage.submit("new", as: "news") { $0.options.kind = .push }
    _ = stage.settle()
    #expect(stage.journal.specifications[JobNumber(2)]?.bytes == Array("old".utf8))
    stage.makeRoom()
    stage.pass(.seconds(1))
    #expect(stage.settle() == ["#4 2 edited"])
    #expect(stage.journal.specifications[JobNumber(2)]?.bytes == Array("new".utf8))
  }

  @Test func `of a crowd whose ends are not stored each is found at once`() throws {
    let count = 20_000
    var stage = try Stage(slots: 1)
    try stage.submitMany("m", (1...count).map { "\($0)" })
    _ = stage.settle()
    stage.fillDisk()
    stage.runtime.inbox.append(.cancelAll(stage.runtime.nextTag(), now: false, in: nil))
    _ = stage.settle()
    // The first one runs.
    let numbers = (2...UInt64(count)).map { JobNumber($0) }
    // A linear search would take 200 million steps.
    #expect(numbers.filter { !stage.runtime.hasUnstoredEnd($0) } == [])
    stage.makeRoom()
    stage.pass(.seconds(1))
    _ = stage.settle()
    #expect(!stage.runtime.hasUnstoredEnd(JobNumber(2)))
  }

  @Test func `a worker is told to stop though that cannot be stored`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    stage.start(1)
    _ = stage.settle()
    stage.fillDisk()
    stage.cancel(1)
    #expect(stage.settle() == ["cancel 1: done 1", "stop 1 user"])
  }

  /// Of a push it was believed that it leaves a running job alone.
  @Test(arguments: [Submission.Kind.continued, .push])
  func `a job is not replaced by one that cannot be stored`(_ kind: Submission.Kind) throws {
    var stage = try Stage()
    try stage.submit("a", as: "same")
    _ = stage.settle()
    stage.start(1)
    _ = stage.settle()
    stage.fillDisk()
    let replacing: (inout Submission) -> Void = {
      ($0.options.ifExists, $0.options.kind) = (.replace, kind)
    }
    try stage.submit("b", as: "same", replacing)
    #expect(
      stage.settle() == ["b: cannotCreate, the job cannot be stored: no space is left"])
    guard case .running? = stage.runtime.scheduler.snapshot(JobNumber(1))?.state else {
      Issue.record("job 1 was stopped for one that never was")
      return
    }
    stage.makeRoom()
    try stage.submit("c", as: "same", replacing)
    let told = stage.settle()
    #expect(told.contains("c: accepted 2") && told.contains("stop 1 superseded"), "\(told)")
  }

  @Test func `nor by a push that cannot be stored, where the one that waits is none`() throws {
    var stage = try Stage()
    try stage.submit("a", as: "same") {
      ($0.options.kind, $0.isHeld) = (.processing, true)
    }
    _ = stage.settle()
    stage.fillDisk()
    try stage.submit("b", as: "same") { $0.options.kind = .push }
    #expect(
      stage.settle() == ["b: cannotCreate, the job cannot be stored: no space is left"])
    guard case .queued? = stage.runtime.scheduler.snapshot(JobNumber(1))?.state else {
      Issue.record("job 1 was given up for one that never was")
      return
    }
  }

  @Test func `a job that is stopped while its launch waits never begins`() throws {
    var stage = try Stage()
    try stage.submit("a")
    try stage.submit("b")
    _ = stage.settle()
    stage.fillDisk()
    stage.finish(1)
    _ = stage.settle()
    stage.cancel(2)
    let unstored = stage.settle()
    #expect(
      unstored.allSatisfy { !$0.contains("launch") && !$0.hasPrefix("stop") }, "\(unstored)")
    stage.makeRoom()
    stage.pass(.seconds(1))
    let told = stage.settle()
    #expect(told.contains { $0.hasSuffix(" 2 ended") } && !told.contains("launch 2.1"), "\(told)")
  }
}
