import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// On every kind of engine, a job whose files there are removed is never begun anew.
@Suite struct EngineFolderTests {
  @Test(arguments: EngineKind.allCases, [false, true])
  func `a job whose folder is removed while it runs is lost`(
    _ kind: EngineKind, _ killsRunner: Bool
  ) throws {
    let (engine, _) = try kind.begin()
    let workshop = engine.workshop
    if killsRunner {
      let victims = try workshop.helpers() + [RestartTests.runner(workshop)]
      for victim in victims { kill(victim, SIGKILL) }
      for victim in victims { try WaitFor.end(ofProcess: victim) }
    }
    try engine.removeFolders()
    // Starts the next runner, if there should be one.
    try workshop.jobrun("list", environment: engine.environment)
    let opened = try workshop.openGate()
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .interrupted && job.attempt == 1)
    let why = job.stopReason?.message ?? ""
    #expect(why.contains("was removed"), "\(why)")
    #expect(try engine.begun == [1])
    withExtendedLifetime(opened) {}
  }

  @Test(arguments: EngineKind.allCases)
  func `a job whose folder is gone can be cancelled`(_ kind: EngineKind) throws {
    let (engine, _) = try kind.begin()
    try engine.removeFolders()
    try engine.workshop.jobrun("cancel", "1")
    #expect(try engine.workshop.waitForEnd(1).outcome == .cancelled)
    try engine.awaitNothingLeft()
  }
}
