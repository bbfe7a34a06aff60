import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Background jobs, whose start time the runner picks.
@Suite struct ScheduledTests {
  private static let refresh = ", \"kind\": \"refresh\""
  private static let processing = ", \"kind\": \"processing\""
  private static let name = "org.example.workshop.tick.one"

  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    workshop.forgetMachine()
    return workshop
  }

  @Test func `a refresh is launched at its time, by itself`() throws {
    let workshop = try Self.workshop()
    try workshop.define("tick", "echo \"$JOBRUN_IDENTIFIER\"", Self.refresh)
    // Not so soon that its time could come before it is accepted.
    #expect(try workshop.jobrun("list").status == 0)
    let job = try workshop.schedule(Self.name, "--earliest", "+5s")
    #expect(job.terms.kind == .refresh)
    #expect(job.pendingReason?.code == .notBefore)
    let earliest = try #require(job.terms.earliest)
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .succeeded)
    #expect(try #require(ended.started) >= earliest)
    #expect(try workshop.jobrun("log", "1").output == Self.name + "\n")
  }

  @Test func `what is due a little earlier is put off, and both start in one wake-up`() throws {
    let workshop = try Self.workshop()
    try workshop.define("tick", "exit 0", Self.refresh)
    try workshop.define("tock", "exit 0", Self.processing)
    let first = try workshop.schedule(Self.name, "--earliest", "+20s")
    // Within a tenth of the time that the first has to wait.
    let due = try #require(first.terms.earliest) + .seconds(1)
    let second = try workshop.schedule(
      "org.example.workshop.tock.one", "--earliest", due.text)
    #expect(second.terms.earliest == due)
    let ended = try workshop.waitForEnd(1)
    #expect(try #require(ended.started) >= due)
    #expect(try workshop.waitForEnd(2).outcome == .succeeded)
  }

  @Test func `a request of the same name takes the place of the one that waits`() throws {
    let workshop = try Self.workshop()
    try workshop.define("tick", "exit 0", Self.refresh)
    _ = try workshop.schedule(Self.name, "--earliest", "+1h")
    let second = try workshop.jobrun(
      "schedule", "org.example.workshop.tick.two", "--earliest", "+1h")
    #expect(second.status == 75)
    #expect(second.errors.contains("1 refresh request of org.example.workshop is already waiting"))
    _ = try workshop.schedule(Self.name, "--earliest", "+2h")
    #expect(try workshop.show(1).stopReason?.code == .superseded)
    let pending = try workshop.jobrun("pending", "--json").output
    #expect(pending.split(separator: "\n").count == 1)
    #expect(try Workshop.object(pending).number == JobNumber(2))
  }

  @Test func `a simulated launch takes an identifier and does not wait`() throws {
    let workshop = try Self.workshop()
    try workshop.define("tick", "exit 0", Self.refresh)
    _ = try workshop.schedule(Self.name, "--earliest", "+1h")
    #expect(try workshop.jobrun("simulate", "launch", Self.name).status == 0)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    let again = try workshop.jobrun("simulate", "launch", Self.name)
    #expect(again.status == 66, "\(again.errors)")
  }

  @Test func `a running task is expired by simulation, by either name`() throws {
    let workshop = try Self.workshop()
    try workshop.defineGated("tick", Self.processing + ", \"grace\": \"0s\"")
    _ = try workshop.schedule(Self.name)
    try workshop.awaitReady(1)
    #expect(try workshop.jobrun("simulate", "stall", Self.name).status == 0)
    #expect(try workshop.show(1).state == .stalled)
    #expect(try workshop.jobrun("simulate", "expire", "1").status == 0)
    #expect(try workshop.jobrun("wait", "1").status == 124)
  }

  @Test func `what a task may take is in its definition, or follows from its kind`() throws {
    let workshop = try Self.workshop()
    try workshop.defineGated("tick", Self.refresh + ", \"limit\": \"10ms\", \"grace\": \"0s\"")
    _ = try workshop.schedule(Self.name)
    #expect(try workshop.jobrun("wait", "1").status == 124)
    #expect(try workshop.show(1).stopReason?.code == .limit)
  }

  @Test func `a processing task waits for power and is stopped when it goes`() throws {
    let workshop = try Self.workshop()
    let machine = try PretendedMachine(in: workshop.sandbox)
    try machine.plug(false)
    try workshop.defineGated("tick", Self.processing + ", \"grace\": \"0s\"")
    let job = try workshop.schedule(
      Self.name, "--require", "power", environment: machine.environment)
    #expect(job.terms.requires == ["power"])
    #expect(job.pendingReason?.code == .power)
    let pending = try workshop.jobrun("pending").output
    #expect(pending.contains("on battery: battery BAT0 (57 %) is discharging"), "\(pending)")
    try machine.plug(true)
    try workshop.awaitReady(1)
    try machine.plug(false)
    #expect(try workshop.jobrun("wait", "1").status == 124)
    let reason = try workshop.show(1).stopReason
    #expect(reason?.code == .requirementLost)
    #expect(reason?.message.hasPrefix("there is no external power") == true)
  }

  @Test func `a request survives the runner, and its time comes while none lives`() throws {
    let workshop = try Self.workshop()
    try workshop.define("tick", "exit 0", Self.refresh)
    _ = try workshop.schedule(Self.name, "--earliest", "+1s")
    try workshop.killRunner()
    let ended = try workshop.waitForEnd(1)
    #expect(ended.outcome == .succeeded)
    #expect(try #require(ended.started) >= (try #require(ended.terms.earliest)))
  }

  @Test func `a request survives a restart of the machine, and a stop of the runner`() throws {
    let workshop = try Self.workshop()
    try workshop.define("tick", "exit 0", Self.refresh)
    let job = try workshop.schedule(Self.name, "--earliest", "+1h")
    try workshop.reboot(killing: [])
    let after = try workshop.show(1)
    #expect(after.state == .queued)
    #expect(after.terms.earliest == job.terms.earliest)
    #expect(after.pendingReason == job.pendingReason)
    #expect(try workshop.jobrun("runner", "stop").status == 0)
    #expect(try workshop.show(1).state == .queued)
    #expect(try workshop.jobrun("simulate", "launch", "1").status == 0)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `a task waits while the battery is low, and a person is told why`() throws {
    let workshop = try Self.workshop()
    let machine = try PretendedMachine(in: workshop.sandbox)
    try machine.plug(false)
    try machine.charge(15)
    try workshop.define("tick", "exit 0", Self.refresh)
    let job = try workshop.schedule(Self.name, environment: machine.environment)
    #expect(job.pendingReason?.code == .power)
    #expect(
      try workshop.jobrun("pending").output.contains(
        "it waits to save power: the battery has 15 % left, below 20 %"))
    let person = try workshop.jobrun("run", "--quiet", "--", "true")
    #expect(person.status == 0)
    try machine.plug(true)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
  }

  @Test func `a task asks for its next turn while it runs`() throws {
    let workshop = try Self.workshop()
    try workshop.define(
      "tick",
      """
      "$JOBRUN_COMMAND" schedule "$JOBRUN_IDENTIFIER" --earliest +1h > /dev/null
      """, Self.refresh)
    _ = try workshop.schedule(Self.name)
    #expect(try workshop.waitForEnd(1).outcome == .succeeded)
    let next = try workshop.show(2)
    #expect(next.identifier == Self.name)
    #expect(next.pendingReason?.code == .notBefore)
  }

  @Test func `a job of a person can wait for a time too`() throws {
    let workshop = try Self.workshop()
    let job = try Workshop.object(
      try workshop.jobrun(
        "run", "--detach", "--json", "--not-before", "+1h", "--", "true"
      ).output)
    #expect(job.terms.kind == .continued)
    #expect(job.pendingReason?.code == .notBefore)
    try workshop.define("tick", "exit 0")
    let refused = try workshop.jobrun("schedule", "tick")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("tick is of the kind continued, which is not scheduled"))
  }
}

/// Fake power and network files of /sys and /proc, for a runner that is told to read them.
struct PretendedMachine {
  private let sandbox: Sandbox

  init(in sandbox: Sandbox) throws {
    self.sandbox = sandbox
    try write("Mains", "AC/type")
    try write("Battery", "BAT0/type")
    try charge(57)
  }

  var environment: [String: String] { ["JOBRUN_SYSTEM_ROOT": sandbox.path("machine")] }

  /// Puts the plug in or pulls it.
  func plug(_ isIn: Bool) throws {
    try write(isIn ? "Charging" : "Discharging", "BAT0/status")
    try write(isIn ? "1" : "0", "AC/online")
  }

  func charge(_ percent: Int) throws { try write("\(percent)", "BAT0/capacity") }

  private func write(_ text: String, _ name: String) throws {
    try sandbox.write(text + "\n", to: "machine/sys/class/power_supply/\(name)")
  }
}

extension Workshop {
  /// Schedules; the accepted job.
  func schedule(_ arguments: String..., environment: [String: String] = [:]) throws -> JobStatus {
    let finished = try sandbox.run(
      "jobrun", ["schedule"] + arguments + ["--json"],
      environment: self.environment.merging(environment) { $1 })
    #expect(finished.status == 0, "\(finished.errors)")
    return try Self.object(finished.output)
  }
}
