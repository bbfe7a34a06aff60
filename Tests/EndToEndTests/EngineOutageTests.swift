import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Whatever fails between the runner and an engine of any kind, nothing is lost and nothing runs twice.
@Suite struct EngineOutageTests {
  @Test(arguments: EngineKind.allCases)
  func `while the engine is away jobs go on or wait, and all is told when it is back`(
    _ kind: EngineKind
  ) throws {
    let engine = try kind.open()
    let workshop = engine.workshop
    try engine.defineCounted("gated")
    try engine.submit("gated")
    _ = try engine.awaitRunning(1)
    try engine.goAway()
    let waiting = try workshop.start(
      "run", "--on", "red", "--json", "--", "sh", "-c", "echo 2 >> '\(engine.ran)'")
    _ = try waiting.wait(for: engine.silence)
    let opened = try workshop.openGate()
    try engine.comeBack()
    #expect(try waiting.wait().status == 0)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    #expect(try engine.begun == [1, 2])
    withExtendedLifetime(opened) {}
  }

  @Test(arguments: EngineKind.allCases)
  func `runner, helpers and controller of two engines are killed, and each job runs once`(
    _ kind: EngineKind
  ) throws {
    let engine = try kind.open()
    let workshop = engine.workshop
    try workshop.define(
      "short", "echo $JOBRUN_JOB >> '\(engine.ran)'\nsleep 0.0$((JOBRUN_JOB % 7))\nexit 4")
    var random = SeededGenerator(seed: 17)
    let count = 24
    for number in 1...count {
      try engine.submit("short", on: number % 2 == 0 ? "red" : "blue")
      guard number % 3 == 0 else { continue }
      // So that it is killed at another point each time.
      for _ in 0..<Int.random(in: 0...9, using: &random) { try workshop.jobrun("list") }
      let victims =
        number % 2 == 0 ? [try RestartTests.runner(workshop)] : try workshop.helpers()
      for victim in victims { kill(victim, SIGKILL) }
      if number == 9 {
        try engine.goAway()
        try engine.comeBack()
      }
    }
    try checkEnds(count, engine)
  }

  @Test(arguments: EngineKind.queues)
  func `commands that fail after they succeeded, or write rubbish, lose nothing`(
    _ kind: EngineKind
  ) throws {
    let engine = try kind.open()
    try engine.workshop.define("short", "echo $JOBRUN_JOB >> '\(engine.ran)'\nexit 4")
    let count = 6
    let misled = try engine.misled()
    for _ in 1...count {
      _ = try engine.workshop.submit("short", "--on", "red", environment: misled)
    }
    try checkEnds(count, engine)
  }

  private func checkEnds(_ count: Int, _ engine: any EngineWorkshop) throws {
    for number in 1...count {
      let waited = try engine.workshop.jobrun("wait", "\(number)", environment: engine.environment)
      #expect(waited.status == 4, "job \(number): \(waited.errors)")
    }
    #expect(try engine.begun == Array(1...count))
  }
}
