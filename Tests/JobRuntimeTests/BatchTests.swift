import JobCore
import JobRuntime
import JobWire
import Testing

/// Many submissions in one: one commit, one answer, all or nothing.
@Suite struct BatchTests {
  private func stage() throws -> Stage { try Stage(slots: 1, isDescribed: true) }

  @Test func `they are one commit that survives a power cut`() throws {
    var stage = try stage()
    try stage.submitMany("a", ["x", "y"])
    #expect(
      stage.turn() == [
        "a: accepted 1 to 2", "#1 1 submitted", "#2 1 launched", "#3 2 submitted", "launch 1.1",
      ])
    #expect(stage.journal.commits == [.full])
    #expect(stage.journal.batches.map(\.count) == [2])
    #expect(stage.journal.batches.map(\.specification) == [Array("shared".utf8)])
    #expect(stage.runtime.drafts.isEmpty)
    #expect(stage.runtime.drafts.bytes == 0)
  }

  @Test func `each has its own title, command and inputs`() throws {
    var stage = try stage()
    try stage.submitMany("a", ["x", "y z"])
    _ = stage.turn()
    let jobs = stage.runtime.jobs
    #expect(jobs[JobNumber(1)]?.title == "Render x")
    #expect(jobs[JobNumber(2)]?.title == "Render y z")
    #expect(jobs[JobNumber(2)]?.details.executed?.command == ["render", "y z", "-o", "y z.png"])
    #expect(jobs[JobNumber(2)]?.submission.identifier.text == "test.a.2")
    #expect(
      stage.journal.specifications == [
        JobNumber(1): NewSpecification(Array("x\0".utf8), batch: JobNumber(1)),
        JobNumber(2): NewSpecification(Array("y z\0".utf8), batch: JobNumber(1)),
      ])
  }

  @Test func `their first events tell them as they were accepted`() throws {
    var stage = try stage()
    try stage.submitMany("a", ["x", "y"])
    _ = stage.turn()
    let told = stage.lastLines.compactMap(stage.runtime.object(of:))
    #expect(told.map(\.state) == [.queued, .launching, .queued])
    #expect(told.map(\.attempt) == [0, 1, 0])
    #expect(told.map(\.title) == ["Render x", "Render x", "Render y"])
    #expect(told.last?.position == 1)
    let note = try #require(AcceptanceNote(json: stage.journal.told[2]))
    #expect(note == AcceptanceNote(pendingReason: told[2].pendingReason, position: 1))
    let later = try #require(stage.runtime.object(of: JobNumber(2), at: stage.moment))
    #expect(note.job(from: later) == told[2])
    #expect(AcceptanceNote(json: stage.journal.told[1]) == nil)
  }

  @Test func `asked once more, they are the same jobs, also in the turn the first ends`() throws {
    var stage = try stage()
    try stage.submitMany("a", ["x", "y"])
    try stage.submitMany("a", ["x", "y"])
    #expect(stage.turn()?.prefix(2) == ["a: accepted 1 to 2", "a again: duplicate 1 to 2"])
    stage.finish(1)
    try stage.submitMany("a", ["x", "y"])
    #expect(stage.settle().first == "a again: duplicate 1 to 2")
  }

  @Test func `what is refused in a turn leaves none of them`() throws {
    var stage = try stage()
    stage.fillDisk()
    try stage.submitMany("a", ["x", "y"])
    #expect(
      stage.settle().first == "a: cannotCreate, the job cannot be stored: no space is left")
    #expect(stage.runtime.jobs.isEmpty)
    #expect(stage.runtime.scheduler.liveNumbers.isEmpty)
    #expect(stage.runtime.drafts.isEmpty)
    stage.makeRoom()
    try stage.submitMany("b", ["x"])
    #expect(stage.settle().contains("b: accepted 3 to 3"))
  }
}
