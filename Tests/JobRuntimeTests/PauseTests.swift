import JobCore
import JobRuntime
import JobWire
import Testing

/// A pause on its way through a turn.
@Suite struct PauseTests {
  private func running() throws -> Stage {
    var stage = try Stage(isDescribed: true)
    try stage.submit("a")
    _ = stage.settle()
    stage.start(1)
    _ = stage.settle()
    return stage
  }

  @Test func `what cannot be stored is done and answered, and told once it is stored`() throws {
    var stage = try running()
    stage.fillDisk()
    stage.pause(1)
    #expect(stage.settle() == ["pause 1: done 1", "pause 1 1"])
    stage.resume(1)
    #expect(stage.settle() == ["resume 1: done 1", "resume 1 2"])
    stage.makeRoom()
    stage.pass(.seconds(2))
    #expect(stage.settle() == ["#4 1 paused", "#5 1 resumed"])
  }

  @Test func `time left and pace do not count a pause`() throws {
    var stage = try running()
    func look(_ completed: UInt64) -> Double? {
      var sample = PageSample()
      (sample.completed, sample.total) = (completed, 100)
      let moment = stage.moment
      _ = stage.runtime.jobs[JobNumber(1)]?.apply(sample, at: moment.awake, moment.wall)
      return stage.runtime.object(of: JobNumber(1), at: moment)?.progress?.eta
    }
    for completed in 0...10 as ClosedRange<UInt64> {
      _ = look(completed)
      stage.pass(.seconds(1))
    }
    let before = try #require(look(11))
    stage.pause(1)
    _ = stage.settle()
    stage.pass(.seconds(3_600))
    #expect(look(11) == nil, "a job that stands still has no time left")
    let paused = stage.runtime.object(of: JobNumber(1), at: stage.moment)?.paused
    #expect(paused?.since != nil && paused?.seconds == 0)
    stage.resume(1)
    _ = stage.settle()
    #expect(look(11) == before)
    #expect(stage.runtime.object(of: JobNumber(1), at: stage.moment)?.paused?.seconds == 3_600)
  }

  @Test func `a pause in which the machine slept is as long as people saw it`() throws {
    var stage = try running()
    stage.pass(.seconds(10))
    stage.pause(1)
    _ = stage.settle()
    stage.pass(.seconds(5))
    stage.suspend(.seconds(3_600))
    let paused = try #require(stage.runtime.object(of: JobNumber(1), at: stage.moment))
    #expect(stage.moment.wall - (try #require(paused.paused?.since)) == .seconds(3_605))
    #expect(paused.ran(until: stage.moment.wall) == .seconds(10))
    stage.resume(1)
    _ = stage.settle()
    stage.pass(.seconds(1))
    let job = try #require(stage.runtime.object(of: JobNumber(1), at: stage.moment))
    #expect(job.paused?.seconds == 3_605)
    #expect(job.ran(until: stage.moment.wall) == .seconds(11))
  }

  @Test func `the pause in which it ends counts, too`() throws {
    var stage = try running()
    stage.pass(.seconds(10))
    stage.pause(1)
    _ = stage.settle()
    stage.pass(.seconds(3_600))
    stage.finish(1, 137)
    _ = stage.settle()
    let ended = try #require(stage.lastLines.last?.object)
    #expect(ended.paused == JobStatus.Paused(since: nil, seconds: 3_600))
    #expect(ended.ran == .seconds(10))
  }

  @Test func `a quiet phase is shown as long as a pause has made it`() throws {
    var stage = try running()
    var sample = PageSample()
    sample.quietUntil = stage.moment.awake + .seconds(100)
    stage.sampled(1, sample)
    _ = stage.settle()
    stage.pause(1)
    _ = stage.settle()
    stage.pass(.seconds(500))
    stage.resume(1)
    _ = stage.settle()
    let job = try #require(stage.runtime.object(of: JobNumber(1), at: stage.moment))
    #expect(job.quietUntil.map { $0 - stage.moment.wall } == .seconds(100))
  }
}
