import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// On every kind of engine, what is lost there is told as lost and never begun anew, and what somebody
/// there ends is told as that.
@Suite struct EngineLossTests {
  @Test(arguments: EngineKind.allCases)
  func `a job whose supervisor is killed is lost`(_ kind: EngineKind) throws {
    let (engine, supervisor) = try kind.begin()
    kill(supervisor, SIGKILL)
    let job = try engine.workshop.waitForEnd(1)
    #expect(job.outcome == .interrupted && job.attempt == 1)
    #expect(try engine.begun == [1])
    try engine.awaitNothingLeft()
  }

  @Test(arguments: EngineKind.allCases)
  func `a job whose supervisor hangs is ended all the same`(_ kind: EngineKind) throws {
    let (engine, supervisor) = try kind.begin()
    kill(supervisor, SIGSTOP)
    try engine.workshop.jobrun("cancel", "1", "--now")
    #expect(try engine.workshop.waitForEnd(1).outcome == .cancelled)
    try engine.awaitNothingLeft()
  }

  @Test(arguments: EngineKind.allCases)
  func `a running job that somebody ends there is told as ended there`(_ kind: EngineKind) throws {
    let (engine, supervisor) = try kind.begin()
    try engine.endThere(try engine.workshop.show(1), supervisor: supervisor)
    let job = try engine.workshop.waitForEnd(1)
    #expect(job.outcome == engine.outcomeThere && job.attempt == 1)
    let why = job.stopReason?.message ?? ""
    #expect(why.contains("red"), "\(why)")
    #expect(try engine.begun == [1])
  }

  @Test(arguments: EngineKind.queues)
  func `a waiting job says why, and one that somebody deletes there is cancelled`(
    _ kind: EngineKind
  ) throws {
    let engine = try kind.open()
    let workshop = engine.workshop
    try engine.defineCounted("gated")
    let all = kind == .slurm ? "cpu=8" : "cpu=4"
    for _ in 1...3 { try engine.submit("gated", "--require", all) }
    _ = try engine.awaitRunning(1)
    for number in 2...3 {
      let feed = try workshop.start("attach", "\(number)", "--json")
      let words =
        switch kind {
        case .host, .slurm: "other jobs are ahead"
        case .gridEngine: "it waits there (qw)"
        case .oar: "it waits there (W)"
        }
      _ = try feed.wait(for: words)
      feed.signal(SIGTERM)
    }
    try engine.endThere(try workshop.show(2), supervisor: 0)
    let job = try workshop.waitForEnd(2)
    #expect(job.outcome == .cancelled && job.attempt == 1)
    #expect(job.stopReason?.message == "it was cancelled on red by someone else")
    try workshop.jobrun("cancel", "3")
    #expect(try workshop.waitForEnd(3).outcome == .cancelled)
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    try engine.awaitNothingLeft()
    #expect(try engine.begun == [1])
    withExtendedLifetime(opened) {}
  }
}
