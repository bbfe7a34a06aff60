import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// A real Slurm on a bad day: its files, its controller or its answers are gone for a while.
@Suite(.needsSlurm)
struct SlurmTroubleTests {
  private let slurm: SlurmWorkshop

  init() throws { slurm = try SlurmWorkshop() }

  private var workshop: Workshop { slurm.workshop }
  private var cluster: SlurmCluster { slurm.cluster }
  private var environment: [String: String] { slurm.environment }

  @Test func `what is cancelled while the controller is away is not left in the queue`() throws {
    try workshop.defineGated("gated")
    for _ in 1...2 {
      _ = try workshop.submit(
        "gated", "--on", "cluster", "--require", "cpu=4", environment: environment)
    }
    try workshop.awaitReady(1)
    let feed = try workshop.start("attach", "2", "--json", environment: environment)
    _ = try feed.wait(for: "other jobs are ahead")
    cluster.killController()
    try workshop.jobrun("cancel", "2")
    #expect(try workshop.waitForEnd(2).outcome == .cancelled)
    let opened = try workshop.openGate()
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    // No job is live: its helper has no reason to stay.
    try workshop.jobrun("runner", "stop")
    try cluster.restartController()
    try slurm.awaitEmptyQueue()
    withExtendedLifetime(opened) {}
  }

  @Test func `a queue that is said to be empty makes no waiting job anew`() throws {
    let lies = workshop.sandbox.path("lies")
    let looks = workshop.sandbox.path("looks")
    let environment = try slurm.environment(
      "squeue", "echo x >> '\(looks)'; [ -e '\(lies)' ] || exec /usr/bin/squeue \"$@\"")
    try workshop.defineGated("gated")
    for _ in 1...2 {
      _ = try workshop.submit(
        "gated", "--on", "cluster", "--require", "cpu=4", environment: environment)
    }
    try workshop.awaitReady(1)
    let feed = try workshop.start("attach", "2", "--json", environment: environment)
    _ = try feed.wait(for: "other jobs are ahead")
    try Data().write(to: URL(fileURLWithPath: lies))
    let before = try String(contentsOfFile: looks, encoding: .utf8).utf8.count
    try WaitFor.change(at: looks, awaited: "eight looks at the queue", within: Deadline.timeout) {
      let count = (try? String(contentsOfFile: looks, encoding: .utf8))?.utf8.count ?? 0
      return count >= before + 16 ? true : nil
    }
    #expect(try workshop.show(2).attempt == 1)
    try FileManager.default.removeItem(atPath: lies)
    let opened = try workshop.openGate()
    for number: UInt64 in [1, 2] {
      let job = try workshop.waitForEnd(number)
      #expect(job.outcome == .succeeded)
      #expect(job.attempt == 1)
    }
    withExtendedLifetime(opened) {}
  }

  /// Two engines on one controller: neither touches the other's jobs.
  @Test(arguments: [false, true])
  func `what one runs and what one has waiting is no stray of the other`(_ sharesFolder: Bool)
    throws
  {
    let red = slurm.folder
    try slurm.configure(["red": red, "blue": sharesFolder ? red : workshop.sandbox.path("blue")])
    let looks = workshop.sandbox.path("looks")
    let environment = try slurm.environment(
      "squeue", "echo x >> '\(looks)'\nexec /usr/bin/squeue \"$@\"")
    try workshop.defineGated("gated")
    // The second waits, which makes its helper look again and again.
    for engine in ["red", "blue"] {
      _ = try workshop.submit(
        "gated", "--on", engine, "--require", "cpu=4", environment: environment)
      if engine == "red" { try workshop.awaitReady(1) }
    }
    let feed = try workshop.start("attach", "2", "--json", environment: environment)
    _ = try feed.wait(for: "other jobs are ahead")
    let before = try String(contentsOfFile: looks, encoding: .utf8).utf8.count
    try WaitFor.change(at: looks, awaited: "five looks at the queue", within: Deadline.timeout) {
      let count = (try? String(contentsOfFile: looks, encoding: .utf8))?.utf8.count ?? 0
      return count >= before + 10 ? true : nil
    }
    let opened = try workshop.openGate()
    for number: UInt64 in [1, 2] {
      let job = try workshop.waitForEnd(number)
      #expect(job.outcome == .succeeded, "\(job.stopReason?.message ?? "")")
      #expect(job.attempt == 1)
    }
    withExtendedLifetime(opened) {}
  }
}
