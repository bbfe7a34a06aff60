import Foundation
import JobWire
import TestKit
import Testing

/// What a job reads in its environment about itself.
@Suite struct JobVariablesTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try Data(#"{"slots": 8, "resources": {"licence": 4, "dock-a": 2}}"#.utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    try workshop.define(
      "gated",
      "echo $JOBRUN_SLOT/$JOBRUN_RESOURCE_licence/$JOBRUN_RESOURCE_dock_a; touch \"$READY.$JOBRUN_JOB\""
        + "\nread x < \"$GATE\"")
    _ = workshop.gate
  }

  private func log(_ number: UInt64) throws -> String {
    try workshop.jobrun("log", "\(number)").output
  }

  private func submit(_ requirements: String, as number: UInt64) throws {
    _ = try workshop.submit("gated", "--require", requirements)
    try workshop.awaitReady(number)
  }

  @Test func `units of a resource are one job's, also beside jobs of an earlier runner`() throws {
    try submit("licence=2", as: 1)
    try submit("licence=1,dock-a=1", as: 2)
    try RecoveryTests.crash(workshop)
    try submit("licence=1,dock-a=1", as: 3)
    #expect(try log(1) == "1/1,2/\n")
    #expect(try log(2) == "2/3/1\n")
    #expect(try log(3) == "3/4/2\n")
    try workshop.jobrun("cancel", "1", "--now")
    try submit("licence=1", as: 4)
    #expect(try log(4) == "1/1/\n")
    try workshop.jobrun("cancel", "--all", "--now")
  }

  @Test func `processors that are reserved are told, and OpenMP's number is the submitter's`()
    throws
  {
    let script = "echo $JOBRUN_CPUS.$OMP_NUM_THREADS"
    func told(_ options: [String], _ environment: [String: String] = [:]) throws -> String {
      let arguments = ["run", "-q"] + options + ["--", "sh", "-c", script]
      let finished = try workshop.sandbox.run(
        "jobrun", arguments, environment: workshop.environment.merging(environment) { $1 })
      #expect(finished.status == 0, "\(finished.errors)")
      return try workshop.jobrun("log").output
    }
    #expect(try told([]) == ".\n")
    #expect(try told(["--require", "cpu=1"]) == "1.1\n")
    #expect(try told(["--require", "cpu=1"], ["OMP_NUM_THREADS": "7"]) == "1.7\n")
    #expect(try told([], ["OMP_NUM_THREADS": "7"]) == ".7\n")
    // As inside a job with cpu=2.
    let outer = ["JOBRUN_CPUS": "2", "OMP_NUM_THREADS": "2"]
    #expect(try told(["--require", "cpu=1"], outer) == "1.1\n")
    #expect(try told([], outer) == ".\n")
  }

  @Test func `a job inside a job has not the group and the resources of the outer one`() throws {
    let inner =
      "jobrun run -q --log all -- sh -c 'echo in:$JOBRUN_GROUP:$JOBRUN_RESOURCE_licence:$JOBRUN_CPUS'"
    let outer = try workshop.jobrun(
      "run", "-q", "--group", "g", "--require", "licence=1,cpu=1", "--", "sh", "-c", inner)
    #expect(outer.status == 0, "\(outer.errors)")
    #expect(try log(2) == "in:::\n")
  }
}
