import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Two engines of kind `slurm` in one `config.json`, on one controller: neither touches the other's jobs.
@Suite(.needsSlurm)
struct SlurmPairTests {
  private let slurm: SlurmWorkshop

  init() throws { slurm = try SlurmWorkshop(processors: 8) }

  private var workshop: Workshop { slurm.workshop }
  private var cluster: SlurmCluster { slurm.cluster }

  private func configure(sharingFolder: Bool) throws {
    let red = workshop.sandbox.path("red")
    try slurm.configure(["red": red, "blue": sharingFolder ? red : workshop.sandbox.path("blue")])
  }

  @Test(arguments: [false, true])
  func `what one runs and what one has waiting is no stray of the other`(_ sharesFolder: Bool)
    throws
  {
    try configure(sharingFolder: sharesFolder)
    let looks = workshop.sandbox.path("looks")
    let environment = try slurm.environment(
      "squeue", "echo x >> '\(looks)'\nexec /usr/bin/squeue \"$@\"")
    try workshop.defineGated("gated")
    // The second waits, which makes its helper look again and again.
    for engine in ["red", "blue"] {
      _ = try workshop.submit(
        "gated", "--on", engine, "--require", "cpu=8", environment: environment)
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

  @Test func `runners and helpers are killed, and each job of both runs once`() throws {
    try configure(sharingFolder: true)
    let ran = workshop.sandbox.path("ran")
    try workshop.define(
      "short", "echo $JOBRUN_JOB >> '\(ran)'\nsleep 0.$((JOBRUN_JOB % 7))\nexit 4")
    var random = SeededGenerator(seed: 29)
    let count = 24
    for number in 1...count {
      _ = try workshop.submit(
        "short", "--on", number % 2 == 0 ? "red" : "blue", environment: cluster.environment)
      guard number % 3 == 0 else { continue }
      // So that it is killed at another point each time.
      for _ in 0..<Int.random(in: 0...9, using: &random) { try workshop.jobrun("list") }
      let runner = try RestartTests.runner(workshop)
      let victims =
        number % 2 == 0 ? [runner] : SSHTests.children(of: runner, named: "jobrun-engine")
      for victim in victims { kill(victim, SIGKILL) }
    }
    for number in 1...count {
      let waited = try workshop.jobrun("wait", "\(number)", environment: cluster.environment)
      #expect(waited.status == 4, "job \(number): \(waited.errors)")
    }
    let lines = try String(contentsOfFile: ran, encoding: .utf8).split(separator: "\n")
    #expect(lines.sorted() == (1...count).map { Substring("\($0)") }.sorted())
  }
}
