import Foundation
import Glibc
import JobCore
import JobPage
import JobWire
import TestKit
import Testing

/// A supervisor that is killed before its worker began, while the runner lives.
@Suite struct SupervisorTests {
  /// Stands in for the supervisor: killed for as long as there is a mark, and the real one after that.
  private static func replaceSupervisor(in folder: String, mark: String) throws {
    let script = """
      #!/bin/sh
      if [ -e "\(mark)" ]; then rm "\(mark)"; kill -9 $$; fi
      exec "\(try BuiltProducts.path("jobrun-shim"))"
      """
    let path = folder + "/jobrun-shim"
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    #expect(unsafe chmod(path, 0o755) == 0)
  }

  @Test func `its job never ran, so that it is launched again`() throws {
    let workshop = try Workshop()
    try workshop.define("quick", "echo attempt $JOBRUN_ATTEMPT")
    let folder = workshop.sandbox.path("libexec")
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false)
    // By a process of its own: a child that another test starts meanwhile must not hold a file open
    // for writing that is to be executed (ETXTBSY).
    let names = ["jobrun", "jobrund", "jobrun-helper"]
    let copied = try workshop.sandbox.run(
      "cp", try names.map { try BuiltProducts.path($0) } + [folder])
    #expect(copied.status == 0, "\(copied)")
    try Self.replaceSupervisor(in: folder, mark: try workshop.sandbox.write("", to: "mark"))
    let submitted = try workshop.sandbox.run(
      folder + "/jobrun", ["submit", "quick"], environment: workshop.environment)
    #expect(submitted.status == 0, "\(submitted)")
    #expect(try workshop.show(1).attempt == 2)
    #expect(try workshop.jobrun("log", "1").output == "attempt 2\n")
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
