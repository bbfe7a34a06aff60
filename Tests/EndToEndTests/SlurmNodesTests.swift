import Foundation
import Glibc
import JobCore
import JobWire
import TestKit
import Testing

/// Jobs with several nodes of a real Slurm.
@Suite(.needsSlurm)
struct SlurmNodesTests {
  @Test func `several nodes and tasks are Slurm's, srun uses them, and a stop ends all`() throws {
    let slurm = try SlurmWorkshop(nodes: 2, processors: 2)
    let workshop = slurm.workshop
    let ran = try workshop.jobrun(
      "run", "--on", "cluster", "--require", "nodes=2,tasks=4", "--", "srun", "sh", "-c",
      "echo $SLURM_PROCID $SLURMD_NODENAME", environment: slurm.environment)
    #expect(ran.status == 0, "\(ran.errors)")
    let lines = try workshop.jobrun("log", "1").output.split(separator: "\n").sorted()
    #expect(lines == ["0 n1", "1 n1", "2 n2", "3 n2"])
    #expect(try workshop.jobrun("show", "1").output.contains("nodes=2"))

    let pids = workshop.sandbox.path("pid")
    try workshop.jobrun(
      "run", "--detach", "--on", "cluster", "--require", "nodes=2", "--", "srun", "sh", "-c",
      "echo $$ > '\(pids)'.$SLURM_PROCID; exec sleep 1000", environment: slurm.environment)
    let tasks = try (0...1).map { number in
      let text = try WaitFor.file("\(pids).\(number)", contains: "\n")
      return try #require(Int32(text.dropLast()))
    }
    try workshop.jobrun("cancel", "2")
    #expect(try workshop.waitForEnd(2).outcome == .cancelled)
    for task in tasks { try WaitFor.end(ofProcess: task) }
    try slurm.awaitEmptyQueue()
  }

  @Test(arguments: ["tower", "grid"])
  func `elsewhere there are none`(_ engine: String) throws {
    let workshop = try Workshop()
    try Data(
      """
      {"engines": {"tower": {"kind": "host"},
        "grid": {"kind": "batch", "preset": "gridengine", "folder": "/tmp"}}}
      """.utf8
    ).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
    for engine in ["here", engine] {
      let refused = try workshop.jobrun(
        "run", "--on", engine, "--require", "nodes=2", "--", "true")
      #expect(refused.status == 69, "\(refused.errors)")
      #expect(refused.errors.contains("nodes"), "\(refused.errors)")
    }
  }
}
