import Foundation
import TestKit
import Testing

/// A workshop with a separate, real Slurm, on which its engines run attempts.
struct SlurmWorkshop {
  let workshop: Workshop
  let cluster: SlurmCluster
  /// For the process that starts the runner.
  var environment: [String: String] { cluster.environment }
  /// The folder that `cluster` shares with the nodes.
  var shared: String { workshop.sandbox.path("shared") }

  /// With one engine, which is called `cluster`.
  init(processors: Int = 4) throws {
    workshop = try Workshop(slots: 1)
    cluster = try SlurmCluster(workshop.sandbox, processors: processors)
    try configure(["cluster": shared])
  }

  /// Engines by name, with their folders; `more`: further keys of each.
  func configure(_ engines: [String: String], _ more: String = "") throws {
    let entries = engines.map { #""\#($0)": {"kind": "slurm", "folder": "\#($1)"\#(more)}"# }
    try Data("{\"engines\": {\(entries.joined(separator: ", "))}}".utf8)
      .write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  /// With a command of the test's own before Slurm's.
  func environment(_ command: String, _ script: String) throws -> [String: String] {
    try workshop.sandbox.write("#!/bin/sh\n\(script)\n", to: "bad/\(command)", executable: true)
    let path = workshop.sandbox.path("bad") + ":" + (workshop.sandbox.environment["PATH"] ?? "")
    return environment.merging(["PATH": path]) { $1 }
  }

  /// Waits until the queue is as expected; `options`: the arguments of squeue(1).
  func awaitQueue(
    _ awaited: String, _ options: String..., until isSo: ([Substring]) -> Bool
  ) throws {
    let state = cluster.folder + "/state/job_state"
    try WaitFor.change(at: state, awaited: awaited, within: Deadline.timeout) {
      (try? cluster.call("squeue", ["--me", "-h", "-r"] + options))
        .map { isSo($0.split(separator: "\n")) } == true ? true : nil
    }
  }

  func awaitEmptyQueue() throws {
    try awaitQueue("an empty queue") { $0.isEmpty }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a suite without an installed Slurm.
  static var needsSlurm: Self {
    .enabled(
      if: SlurmCluster.isInstalled, "no Slurm is installed (Debian: apt install slurm-wlm munge)")
  }
}
