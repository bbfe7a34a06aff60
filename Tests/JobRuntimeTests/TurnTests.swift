import JobCore
import JobRuntime
import Testing

/// Events and their results while the journal accepts everything.
@Suite struct TurnTests {
  @Test func `answers come first, then lines, then actions`() throws {
    var stage = try Stage()
    try stage.submit("a")
    try stage.submit("b")
    #expect(
      stage.turn() == [
        "a: accepted 1", "b: accepted 2", "#1 1 submitted", "#2 1 launched", "#3 2 submitted",
        "launch 1.1",
      ])
    #expect(stage.turn() == nil)
    stage.start(1)
    #expect(stage.turn() == ["#4 1 started"])
    stage.finish(1)
    #expect(stage.turn() == ["#5 1 ended", "#6 2 launched", "launch 2.1"])
    #expect(stage.runtime.sequence == 6)
  }

  @Test
  func `what a job executes is at hand when it begins as it comes, and of one that waits not`()
    throws
  {
    var stage = try Stage()
    try stage.submit("a")
    try stage.submit("b")
    _ = stage.turn()
    #expect(stage.runtime.arrivedSpecifications == [JobNumber(1): Array("a".utf8)])
    #expect(stage.turn() == nil)
    #expect(stage.runtime.arrivedSpecifications.isEmpty)
    stage.finish(1)
    #expect(stage.turn()?.contains("launch 2.1") == true)
    #expect(stage.runtime.arrivedSpecifications.isEmpty)
    stage.fillDisk()
    stage.finish(2)
    try stage.submit("c")
    _ = stage.turn()
    #expect(stage.runtime.arrivedSpecifications.isEmpty)
  }

  @Test func `a job that has ended is forgotten, and its journal knows it`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    stage.finish(1)
    _ = stage.settle()
    #expect(stage.runtime.jobs.isEmpty)
    #expect(stage.journal.outcome(of: JobNumber(1)) == .succeeded)
    #expect(try stage.runtime.job(withKey: "a", by: stage.journal) == JobNumber(1))
  }

  @Test func `what must survive a power cut is synced, the rest is not`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    stage.start(1)
    _ = stage.settle()
    stage.cancel(1)
    _ = stage.settle()
    stage.finish(1)
    _ = stage.settle()
    #expect(stage.journal.commits == [.full, .normal, .full, .full])
  }

  @Test func `one that waits is told how its prerequisite ended, be that in this turn or long ago`()
    throws
  {
    var stage = try Stage(slots: 2)
    try stage.submit("a")
    _ = stage.settle()
    stage.finish(1)
    try stage.submit("b") { $0.after = [Prerequisite(JobNumber(1))] }
    #expect(stage.settle().contains("launch 2.1"))
    try stage.submit("c") { $0.after = [Prerequisite(JobNumber(1))] }
    #expect(stage.settle().contains("launch 3.1"))
    stage.finish(2, 7)
    stage.finish(3, 7)
    _ = stage.settle()
    try stage.submit("d") { $0.after = [Prerequisite(JobNumber(2))] }
    #expect(stage.settle().contains("d: refused unavailable"))
  }

  @Test func `what is accepted survives a power cut, a job that is redone like a new one`() throws {
    var stage = try Stage()
    try stage.submit("a")
    _ = stage.settle()
    stage.finish(1, 7)
    try stage.submit("b")
    _ = stage.settle()
    try stage.submit("c")
    #expect(stage.settle() == ["c: accepted 3", "#6 3 submitted"])
    #expect(stage.journal.commits.last == .full)
    stage.start(2)
    #expect(stage.settle() == ["#7 2 started"])
    #expect(stage.journal.commits.last == .normal)
    try stage.redo(1)
    #expect(stage.settle() == ["redo 1: done 1", "#8 1 queued"])
    #expect(stage.journal.commits.last == .full)
  }
}
