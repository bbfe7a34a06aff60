import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Background tasks have a budget for each bundle.
@Suite struct FairnessTests {
  private let workshop: Workshop
  /// For the process that starts the runner, which then knows nothing of this machine: background tasks would
  /// wait while its disks are busy.
  private var environment: [String: String] {
    ["JOBRUN_SYSTEM_ROOT": workshop.sandbox.path("machine")]
  }

  init() throws {
    workshop = try Workshop(slots: 3)
    try workshop.define("fetch", "true", ", \"kind\": \"refresh\"")
    try workshop.define("spoil", "exit 1", ", \"kind\": \"processing\"")
    let file = URL(fileURLWithPath: workshop.sandbox.home + "/config.json")
    try Data(#"{"slots": 3, "budget": {"starts": 2}}"#.utf8).write(to: file)
  }

  @Test func `a bundle that has had its starts waits, also for the next runner`() throws {
    for number in [1, 2] as [UInt64] {
      _ = try workshop.schedule("fetch", environment: environment)
      #expect(try workshop.waitForEnd(number).outcome == .succeeded)
    }
    let third = try workshop.schedule("fetch", environment: environment)
    #expect(third.pendingReason?.code == .budget)
    #expect(third.pendingReason?.message == "org.example.workshop has used its 2 starts per 24 h")
    let earliest = try #require(third.terms.earliest)
    #expect(earliest > third.submitted + .minutes(23 * 60))
    // Starts by a person do not count.
    #expect(try workshop.jobrun("run", "--", "true").status == 0)
    try workshop.killRunner()
    let pending = try workshop.jobrun("pending", environment: environment).output
    #expect(pending.contains("org.example.workshop has used its 2 starts per 24 h"), "\(pending)")
    #expect(pending.contains("org.example.workshop: 2 of 2 starts, "), "\(pending)")
    #expect(
      pending.contains(
        "each bundle: 2 starts and 2h of processor time in 1d; after failures it waits longer each time"
      ),
      "\(pending)")
    // For programs it is a list of jobs as any other.
    let lines = try workshop.jobrun("pending", "--json").output.split(separator: "\n")
    #expect(try lines.map { try Workshop.object(String($0)).number } == [third.number])
    let status = try workshop.jobrun("runner", "status", "--json").output
    #expect(status.contains(#"{"bundle":"org.example.workshop","starts":2,"#), "\(status)")
    #expect(status.contains(#""failures":0,"until":""#), "\(status)")
    #expect(
      try workshop.jobrun("settings", "set", "org.example.workshop", "budget=no").status == 0)
    #expect(try workshop.waitForEnd(third.number.value).outcome == .succeeded)
  }

  @Test func `a bundle that fails twice waits, and is told in words`() throws {
    for number in [1, 2] as [UInt64] {
      _ = try workshop.schedule("spoil", environment: environment)
      #expect(try workshop.waitForEnd(number).outcome == .failed)
    }
    let third = try workshop.schedule("spoil", environment: environment)
    #expect(third.pendingReason?.code == .budget)
    let pending = try workshop.jobrun("pending").output
    #expect(pending.contains("2 failed in a row, nothing before "), "\(pending)")
    #expect(try workshop.jobrun("simulate", "launch", "3").status == 0)
    #expect(try workshop.waitForEnd(3).outcome == .failed)
  }
}
