import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import TestKit
import Testing

/// Supervisors that are executed for each job, as one of another version makes no copies of itself.
@Suite struct SupervisorTests {
  /// An installation whose template supervisor fails, and whose others begin as given.
  static func installation(
    in workshop: Workshop, supervisor beginning: String = ""
  ) throws -> String {
    let folder = workshop.sandbox.path("libexec")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    // By a separate process: a child that another test starts meanwhile must not inherit a writable descriptor
    // of a program (ETXTBSY).
    let names = ["jobrun", "jobrund", "jobrun-helper"]
    let copied = try workshop.sandbox.run(
      "cp", try names.map { try BuiltProducts.path($0) } + [folder])
    #expect(copied.status == 0, "\(copied)")
    let script = """
      #!/bin/sh
      if [ -S /proc/self/fd/3 ]; then exit 65; fi
      \(beginning)
      exec "\(try BuiltProducts.path("jobrun-shim"))"
      """
    try workshop.sandbox.write(script, to: "libexec/jobrun-shim", executable: true)
    return folder
  }

  private func submit(_ workshop: Workshop, _ definition: String, from folder: String) throws {
    let submitted = try workshop.sandbox.run(
      folder + "/jobrun", ["submit", definition], environment: workshop.environment)
    #expect(submitted.status == 0, "\(submitted)")
  }

  @Test func `a job begins once where none can stand ready`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "echo attempt $JOBRUN_ATTEMPT")
    let folder = try Self.installation(in: workshop)
    // The first one discovers it: its first attempt is revoked before the second.
    try submit(workshop, "quick", from: folder)
    try submit(workshop, "quick", from: folder)
    #expect(try workshop.jobrun("log", "1").output == "attempt 2\n")
    #expect(try workshop.jobrun("log", "2").output == "attempt 1\n")
  }

  @Test func `one that is killed before its job began is followed by another`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "echo attempt $JOBRUN_ATTEMPT")
    let mark = try workshop.sandbox.write("", to: "mark")
    let folder = try Self.installation(
      in: workshop, supervisor: "if [ -e \"\(mark)\" ]; then rm \"\(mark)\"; kill -9 $$; fi")
    try submit(workshop, "quick", from: folder)
    #expect(try workshop.show(1).attempt == 3)
    #expect(try workshop.jobrun("log", "1").output == "attempt 3\n")
  }

  /// As after a fork that was not followed by an execution yet: the child shares the lock.
  @Test func `a process that it leaves for a moment with the record's lock is waited for`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "echo attempt $JOBRUN_ATTEMPT")
    let mark = try workshop.sandbox.write("", to: "mark")
    let folder = try Self.installation(
      in: workshop,
      supervisor: """
        if [ -e "\(mark)" ]; then
          rm "\(mark)"
          record=$(tr '\\0' '\\n' < /proc/self/fd/3 | sed -n 's/^record=//p')
          exec 9>> "$record"
          flock 9
          sleep 0.3 &
          kill -9 $$
        fi
        """)
    try submit(workshop, "quick", from: folder)
    #expect(try workshop.show(1).attempt == 3)
    #expect(try workshop.jobrun("log", "1").output == "attempt 3\n")
  }

  @Test func `the submitter's umask is the worker's`() throws {
    let workshop = try Workshop()
    // The runner is started with another one.
    #expect(try workshop.jobrun("list").status == 0)
    try workshop.define("mask", "umask")
    let submitted = try workshop.sandbox.run(
      "sh", ["-c", "umask 0027; exec jobrun submit mask"], environment: workshop.environment)
    #expect(submitted.status == 0, "\(submitted)")
    #expect(try workshop.jobrun("log", "1").output == "0027\n")
  }
}
