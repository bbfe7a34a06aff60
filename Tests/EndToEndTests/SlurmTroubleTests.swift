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
  private var shared: String { slurm.shared }

  @Test(arguments: [false, true])
  func `a job whose folder is removed while it runs is lost, and never begun anew`(
    _ killsRunner: Bool
  ) throws {
    let ran = workshop.sandbox.path("ran")
    try workshop.define(
      "gated",
      "echo $JOBRUN_JOB >> '\(ran)'\necho x > \"$READY.$JOBRUN_JOB\"\nread line < \"$GATE\"")
    _ = try workshop.submit("gated", "--on", "cluster", environment: environment)
    try workshop.awaitReady(1)
    try workshop.feed(until: "started", of: 1)
    if killsRunner { try workshop.killRunner() }
    for folder in try JobFolders.paths(below: shared) {
      try FileManager.default.removeItem(atPath: folder)
    }
    // Starts the next runner, if there should be one.
    try workshop.jobrun("list", environment: environment)
    let opened = try workshop.openGate()
    let job = try workshop.waitForEnd(1)
    #expect(job.outcome == .interrupted)
    #expect(job.attempt == 1)
    #expect(
      job.stopReason?.message.contains("was removed") == true, "\(job.stopReason?.message ?? "")")
    #expect(try String(contentsOfFile: ran, encoding: .utf8) == "1\n")
    withExtendedLifetime(opened) {}
  }

  @Test func `a job whose folder is gone can be cancelled`() throws {
    try workshop.defineGated("gated")
    _ = try workshop.submit("gated", "--on", "cluster", "--grace", "1s", environment: environment)
    try workshop.awaitReady(1)
    try workshop.feed(until: "started", of: 1)
    for folder in try JobFolders.paths(below: shared) {
      try FileManager.default.removeItem(atPath: folder)
    }
    try workshop.jobrun("cancel", "1")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    try slurm.awaitEmptyQueue()
  }

  @Test func `a job whose supervisor hangs is ended by Slurm's own means`() throws {
    try workshop.define(
      "hanging", "echo $PPID > \"$READY.$JOBRUN_JOB\"\nwhile :; do sleep 0.05; done")
    _ = try workshop.submit("hanging", "--on", "cluster", environment: environment)
    let ready = workshop.sandbox.path("ready.1")
    try WaitFor.file(ready, contains: "\n")
    try workshop.feed(until: "started", of: 1)
    let text = try String(contentsOfFile: ready, encoding: .utf8)
    let supervisor = try #require(Int32(text.dropLast()))
    kill(supervisor, SIGSTOP)
    try workshop.jobrun("cancel", "1", "--now")
    #expect(try workshop.waitForEnd(1).outcome == .cancelled)
    try slurm.awaitEmptyQueue()
  }

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
}

/// The folders of attempts on a file system that an engine uses.
enum JobFolders {
  static func paths(below folder: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)
    return (names?.compactMap { $0 as? String } ?? []).filter { name in
      let parts = name.split(separator: "/")
      return parts.count > 1 && parts[parts.count - 2] == "jobs"
    }.map { "\(folder)/\($0)" }
  }
}
