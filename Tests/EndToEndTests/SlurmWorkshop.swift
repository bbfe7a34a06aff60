import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// A workshop with a separate, real Slurm, on which its engines run attempts.
struct SlurmWorkshop: EngineWorkshop {
  let workshop: Workshop
  let cluster: SlurmCluster
  /// For the process that starts the runner.
  var environment: [String: String] { cluster.environment }
  /// The folder that `cluster` shares with the nodes.
  var folder: String { workshop.sandbox.path("shared") }

  /// With one engine, which is called `cluster`.
  init(nodes: Int = 1, processors: Int = 4) throws {
    workshop = try Workshop(slots: 1)
    cluster = try SlurmCluster(workshop.sandbox, nodes: nodes, processors: processors)
    try configure(["cluster": folder])
  }

  /// Engines by name, with their folders; `more`: further keys of each.
  func configure(_ engines: [String: String], _ more: String = "") throws {
    try workshop.writeEngines(
      engines.map { ($0, #""kind": "slurm", "folder": "\#($1)"\#(more)"#) })
  }

  /// With a command of the test's own before Slurm's.
  func environment(_ command: String, _ script: String) throws -> [String: String] {
    environment.merging(try workshop.path(overriding: [command: script])) { $1 }
  }

  /// Waits until the queue is as expected; `options`: the arguments of squeue(1).
  func awaitQueue(
    _ awaited: String, _ options: String..., until isSo: ([Substring]) -> Bool
  ) throws {
    let state = cluster.folder + "/state/job_state"
    try WaitFor.change(at: state, awaited: awaited, within: Deadline.timeout) {
      // The heading tells an empty queue from no answer.
      let answer = try? cluster.call("squeue", ["--me", "-r"] + options).split(separator: "\n")
      return answer?.isEmpty == false && isSo(Array(answer?.dropFirst() ?? [])) ? true : nil
    }
  }

  func awaitEmptyQueue() throws {
    try awaitQueue("an empty queue") { $0.isEmpty }
  }

  func goAway() { cluster.killController() }
  func comeBack() throws { try cluster.restartController() }
  var silence: String { "its controller did not answer" }

  func endThere(_ job: JobStatus, supervisor: Int32) throws {
    try cluster.call("scancel", job.engineJob ?? "")
  }

  var outcomeThere: Outcome { .cancelled }

  func awaitNothingLeft() throws { try awaitEmptyQueue() }

  func misled() throws -> [String: String] {
    let path = try workshop.path(misleading: [
      "sbatch": [
        "/usr/bin/sbatch \"$@\"; echo 'sbatch: error: Socket timed out' >&2; exit 1",
        "cat > /dev/null; echo 'sbatch: error: Unable to contact slurm controller' >&2; exit 1",
        "/usr/bin/sbatch \"$@\" > /dev/null; echo '<html>'",
      ],
      "squeue": ["echo '<html>'", "exit 1", "/usr/bin/squeue \"$@\" | head -n 1"],
    ])
    return environment.merging(path) { $1 }
  }

  static let absence = "no Slurm is installed (Debian: apt install slurm-wlm munge)"
}

extension Trait where Self == ConditionTrait {
  /// Skips a suite without an installed Slurm.
  static var needsSlurm: Self {
    .enabled(if: SlurmCluster.isInstalled, "\(SlurmWorkshop.absence)")
  }
}
