import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@Suite struct StrategyTests {
  @Test func `fail is refused while the slots are taken and leaves no trace`() throws {
    let workshop = try Workshop(slots: 2)
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--title", "One")
    _ = try workshop.submit("gated", "--title", "Two")
    let refused = try workshop.jobrun("submit", "gated", "--strategy", "fail")
    #expect(refused.status == 75)
    #expect(refused.errors.contains("1") && refused.errors.contains("2"), "says who holds them")
    #expect(refused.output.isEmpty)
    let all = try workshop.jobrun("list", "--all", "--json").output
    #expect(all.split(separator: "\n").count == 2)
    #expect(try workshop.submit("gated").number == JobNumber(3), "the number was not used up")
  }

  @Test func `a queued job tells why it waits and where it stands, then runs in order`() throws {
    let workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    for _ in 1...3 { _ = try workshop.submit("gated") }
    try workshop.awaitReady(1)
    let third = try workshop.show(3)
    #expect(third.state == .queued)
    #expect(third.pendingReason?.code == .slots)
    #expect(third.position == 2)
    #expect(third.started == nil)
    let opened = try workshop.openGate()
    #expect(try workshop.jobrun("wait", "1", "2", "3").status == 0)
    let jobs = try (1...3).map { try workshop.show($0) }
    #expect(try #require(jobs[1].started) >= #require(jobs[0].ended))
    #expect(try #require(jobs[2].started) >= #require(jobs[1].ended))
    withExtendedLifetime(opened) {}
  }

  @Test func `a newer submission takes the place of a queued one with the same identifier`() throws
  {
    let workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated")
    _ = try workshop.submit("org.example.workshop.gated.same")
    let newer = try workshop.submit("org.example.workshop.gated.same")
    let older = try workshop.show(2)
    #expect(older.outcome == .cancelled)
    #expect(older.stopReason?.code == .superseded)
    #expect(try workshop.show(newer.number.value).state == .queued)
  }

  @Test func `a running job with the same identifier is refused, kept or replaced`() throws {
    let workshop = try Workshop()
    try workshop.defineGated("gated", ", \"grace\": \"100ms\"")
    let identifier = "org.example.workshop.gated.same"
    _ = try workshop.submit(identifier)
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("submit", identifier, "--detach").status == 73)
    #expect(try workshop.submit(identifier, "--if-exists", "keep").number == JobNumber(1))
    let replacing = try workshop.submit(identifier, "--if-exists", "replace")
    #expect(replacing.number == JobNumber(2))
    try workshop.awaitReady(2)
    #expect(try workshop.show(1).stopReason?.code == .superseded)
  }

  @Test func `twenty commands at once start one runner and lose nothing`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "exit 0")
    let commands = try (1...20).map { _ in try workshop.start("submit", "quick", "--detach") }
    for command in commands { #expect(try command.wait().status == 0) }
    let all = try workshop.jobrun("list", "--all", "--json").output.split(separator: "\n")
    let numbers = try all.map { try Workshop.object(String($0)).number.value }
    #expect(numbers == Array(1...20))
    let runner = try RestartTests.runner(workshop)
    let runners = workshop.sandbox.processes.filter { pid in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe"))?
        .hasSuffix("/jobrund") ?? false
    }
    #expect(runners.contains(runner))
    // A late runner finds the store locked and exits.
    for late in runners where late != runner { try WaitFor.end(ofProcess: late) }
  }
}
