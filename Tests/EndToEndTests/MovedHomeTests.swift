import Foundation
import JobPage
import JobWire
import LinuxSystem
import TestKit
import Testing

/// The home of a runner is moved away while its jobs run, and later moved back.
@Suite struct MovedHomeTests {
  private let workshop: Workshop
  private var home: String { workshop.sandbox.home }
  private var away: String { workshop.sandbox.path("away") }

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
  }

  @Test func `what ends while the home is away gets its true end when it is back`() throws {
    _ = try workshop.submit("gated")
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    let runner = try RestartTests.runner(workshop)
    let started = try #require(
      RunRecord(parsing: try File.readAll(home + "/state/runs/1.1")).started)
    try File.rename(home, to: away)
    let opened = try workshop.openGate()
    try WaitFor.end(ofProcess: started.shim.pid)
    // It has seen by then that it has no home.
    try WaitFor.end(ofProcess: runner)
    try File.rename(away, to: home)
    #expect(try workshop.jobrun("wait", "1").status == 0)
    #expect(try workshop.jobrun("wait", "2").status == 0)
    #expect(try workshop.show(2).attempt <= 2)
    withExtendedLifetime(opened) {}
  }
}
