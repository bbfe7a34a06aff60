import Foundation
import Glibc
import JobPage
import LinuxSystem
import TestKit
import Testing

/// A workshop whose runner divides a separate, real control group of this machine; all of it ends with the
/// value.
final class GroupedWorkshop {
  let workshop: Workshop
  /// The group that the runner divides.
  let group: ControlGroup
  private var runner: TestKit.ChildProcess?

  /// Why there can be none here; nil where there can.
  static let obstacle: String? = {
    guard let own = ControlGroup.own() else { return "cgroup2 is not mounted" }
    let trial = own.child("jobrun-test-\(getpid())")
    guard (try? trial.make()) != nil else { return "\(own.path) cannot be written to" }
    defer { trial.remove() }
    return File.exists("\(trial.path)/cgroup.kill") ? nil : "this kernel has no cgroup.kill"
  }()

  init(slots: Int = 2) throws {
    workshop = try Workshop(slots: slots)
    let own = try #require(ControlGroup.own())
    group = own.child("jobrun-test-\(RandomBytes.hexadecimal(count: 6))")
    try group.make()
    try startRunner()
  }

  deinit {
    group.kill()
    let deadline = Deadline()
    while !group.remove(), !deadline.hasPassed { sched_yield() }
  }

  /// The runner as a unit that delegates would start it: alone in its group.
  func startRunner() throws {
    runner = try workshop.sandbox.start(
      "sh", ["-c", "echo 0 >\"$0/cgroup.procs\"; exec jobrund", group.path],
      environment: workshop.environment)
    try Self.settle("the runner in its group") { group.child("runner").isPopulated }
  }

  /// A control group has no events for most of its changes.
  static func settle(_ awaited: String, until isSo: () throws -> Bool) throws {
    let deadline = Deadline()
    while try !isSo() {
      if deadline.hasPassed { throw Overdue(awaited: awaited, limit: deadline.limit, seen: "") }
      sched_yield()
    }
  }

  var jobs: ControlGroup { group.child("jobs") }

  /// Of the first attempt of a job.
  func group(of number: UInt64) -> ControlGroup { jobs.child("\(number).1") }

  func supervisor(of number: UInt64) throws -> Int32 {
    let record = try File.readAll("\(workshop.sandbox.home)/state/runs/\(number).1")
    return try #require(RunRecord(parsing: record).started).shim.pid
  }

  /// A job with a process that forks twice, has its own session and an empty environment.
  func defineEscape() throws {
    try workshop.define(
      "escape",
      #"""
      (setsid env -i /bin/sh -c '/bin/sh -c "$1" "$0" &' "$READY.$JOBRUN_JOB" \
        'echo $$ >"$0.new"; mv "$0.new" "$0"; exec sleep 100000' &)
      read line < "$GATE"
      """#)
    _ = workshop.gate
  }

  /// Submits such a job; returns the process.
  func escape(_ number: UInt64) throws -> Int32 {
    _ = try workshop.submit("escape")
    let path = workshop.sandbox.path("ready.\(number)")
    return try #require(Int32(try WaitFor.file(path, contains: "\n").dropLast()))
  }
}
