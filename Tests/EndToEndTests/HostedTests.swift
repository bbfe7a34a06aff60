import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// Tasks that run in an existing process, with a real runner beside it.
@Suite struct HostedTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(slots: 1)
  }

  /// Gives hosted tasks this grace.
  private func define(grace: String) throws {
    try workshop.sandbox.write(
      """
      {"identifier": "\(HostingProgram.prefix).*", "command": ["none"], "grace": "\(grace)"}
      """, to: "jobs/hosted/job.json")
  }

  private func killRunner() throws {
    let runner = try RestartTests.runner(workshop)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
  }

  @Test func `a task in an ordinary process is a job like any other`() throws {
    let program = try HostingProgram(in: workshop)
    try program.begin("trip")
    // Its handler may be quicker than the thread that tells the runner.
    try workshop.feed(until: "started", of: 1)
    let listed = try Workshop.object(try workshop.jobrun("list", "--json").output)
    #expect(listed.identifier == "org.example.workshop.hosted.trip")
    #expect(listed.state == .running)
    #expect(listed.pid == program.process.pid)
    #expect(listed.progress?.completed == 4)
    #expect(listed.progress?.total == 10)
    let attached = try workshop.start("attach", "1", "--json")
    try attached.wait(for: "\"completed\":4,\"total\":10")
    try program.tell("finish trip")
    #expect(try attached.wait().status == 0)
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .succeeded)
    #expect(ended.message == "all ten of them")
    #expect(program.process.isRunning)
  }

  @Test func `cancel reaches the expiration handler with its reason`() throws {
    let program = try HostingProgram(in: workshop)
    try program.begin("trip")
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    try program.says("expired org.example.workshop.hosted.trip user")
    #expect(try workshop.jobrun("wait", "1").status == 130)
    try program.begin("again")
  }

  @Test func `a killed runner's hosted jobs go on, and those that wait still get their turn`()
    throws
  {
    let program = try HostingProgram(in: workshop)
    try program.begin("first")
    try program.tell("submit second")
    try program.says("submitted org.example.workshop.hosted.second")
    try killRunner()
    // No command of ours starts the next runner: the program itself does.
    try program.tell("finish first")
    try program.says("began org.example.workshop.hosted.second")
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    try killRunner()
    try program.tell("finish second")
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a process that is killed takes its tasks with it, those that wait too`(
    signal: Int32
  ) throws {
    let program = try HostingProgram(in: workshop)
    try program.begin("first")
    try program.tell("submit second")
    try program.says("submitted org.example.workshop.hosted.second")
    program.process.signal(signal)
    let first = try workshop.waitForEnd(1)
    #expect(first.outcome == .failed)
    #expect(first.message?.contains("process \(program.process.pid)") ?? false)
    let second = try workshop.waitForEnd(2)
    #expect(second.outcome == .interrupted)
    #expect(second.stopReason?.message.contains("has ended") ?? false)
  }

  @Test func `a process that died while no runner lived is found out by the next`() throws {
    let program = try HostingProgram(in: workshop)
    try program.begin("first")
    program.process.signal(SIGSTOP)
    try killRunner()
    program.process.signal(SIGKILL)
    _ = try program.process.wait()
    #expect(try workshop.waitForEnd(1).outcome == .failed)
  }

  @Test func `who ignores the stop is not killed, and keeps its slot until it is gone`() throws {
    try define(grace: "200ms")
    let program = try HostingProgram(in: workshop)
    try program.begin("deaf", "stubborn")
    try workshop.define("next", "exit 0")
    _ = try workshop.submit("next")
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    #expect(program.process.isRunning)
    #expect(try workshop.show(1).warning?.contains("keeps running in process") ?? false)
    let waiting = try workshop.show(2)
    #expect(waiting.state == .queued)
    #expect(waiting.pendingReason?.message == "the only slot is taken by job 1")
    try killRunner()
    #expect(try workshop.show(2).state == .queued)
    #expect(try workshop.jobrun("forget", "1").status == 64)
    program.process.signal(SIGKILL)
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.jobrun("forget", "1").status == 0)
  }

  @Test func `a task that completes late gives its slot back, though its end was told before`()
    throws
  {
    try define(grace: "200ms")
    let program = try HostingProgram(in: workshop)
    try program.begin("deaf", "stubborn")
    #expect(try workshop.jobrun("cancel", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 130)
    try workshop.define("next", "exit 0")
    _ = try workshop.submit("next")
    try program.tell("finish deaf")
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
    #expect(try workshop.show(1).outcome == .cancelled)
  }

  @Test func `requests that wait are listed and withdrawn by the program itself`() throws {
    let program = try HostingProgram(in: workshop)
    try program.begin("first")
    try program.tell("submit second")
    try program.tell("submit third")
    try program.says("submitted org.example.workshop.hosted.third")
    try program.tell("pending")
    try program.says(
      "pending org.example.workshop.hosted.second org.example.workshop.hosted.third;")
    try program.tell("cancel second")
    #expect(try workshop.waitForEnd(2).outcome == .cancelled)
    try program.tell("cancelAll")
    #expect(try workshop.waitForEnd(3).outcome == .cancelled)
    try program.tell("cancel first")
    try program.tell("pending")
    try program.says("pending ;")
    #expect(try workshop.show(1).state == .running)
    try program.tell("stop first")
    try program.says("expired org.example.workshop.hosted.first user")
  }

  @Test func `what cannot be is refused with Apple's codes`() throws {
    let program = try HostingProgram(in: workshop)
    try program.begin("first")
    try program.tell("submit second fail")
    try program.says("refused org.example.workshop.hosted.second immediateRunIneligible: ")
    try program.tell("submit third gpu")
    let gpu = try program.says("refused org.example.workshop.hosted.third unavailable: ")
    #expect(gpu.contains("capabilit"))
  }

  @Test func `a scheduled request of a program is launched by the runner`() throws {
    try workshop.sandbox.write(
      """
      {"identifier": "\(HostingProgram.prefix).clean", "command": ["clean"], "kind": "processing"}
      """, to: "jobs/clean/job.json")
    try workshop.sandbox.write("#!/bin/sh\nexit 0\n", to: "jobs/clean/clean", executable: true)
    // The runner knows nothing of this machine: it would wait while the disks are busy.
    let program = try HostingProgram(
      in: workshop, environment: ["JOBRUN_SYSTEM_ROOT": workshop.sandbox.path("machine")])
    try program.tell("schedule clean")
    try program.says("scheduled \(HostingProgram.prefix).clean")
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .succeeded)
    #expect(ended.terms.kind == .processing)
    try program.tell("schedule other")
    try program.says("refused \(HostingProgram.prefix).other: ")
  }

  @Test func `a program without a bundle is told where it was looked for`() throws {
    let program = try HostingProgram(in: workshop, environment: ["JOBRUN_BUNDLE": ""])
    try program.tell("submit first")
    try program.says("refused org.example.workshop.hosted.first notPermitted: ")
    try program.says(BuiltProducts.folder + "/bundle.json")
    let foreign = try HostingProgram(in: workshop, environment: ["PROBE_PREFIX": "org.other"])
    try foreign.tell("submit first")
    try foreign.says("refused org.other.first notPermitted: ")
  }
}
