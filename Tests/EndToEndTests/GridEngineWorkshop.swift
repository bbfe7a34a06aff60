import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// A workshop with a separate, real Grid Engine, on which its engine `grid` of kind `batch` runs attempts.
struct GridEngineWorkshop: EngineWorkshop {
  let workshop: Workshop
  let cell: GridEngineCell
  /// For the process that starts the runner.
  var environment: [String: String] { cell.environment }

  /// The folder that its engines share with the node.
  var folder: String { workshop.sandbox.path("shared") }

  init() throws {
    workshop = try Workshop(slots: 1)
    cell = try GridEngineCell(workshop.sandbox)
    try configure()
  }

  /// `more`: further keys of each engine.
  func configure(_ engines: [String] = ["grid"], _ more: String = "") throws {
    let keys = #""kind": "batch", "preset": "gridengine", "folder": "\#(folder)"\#(more)"#
    try workshop.writeEngines(engines.map { ($0, keys) })
  }

  /// With commands of the test's own before Grid Engine's.
  func environment(_ scripts: [String: String]) throws -> [String: String] {
    environment.merging(try workshop.path(overriding: scripts)) { $1 }
  }

  func goAway() throws { try cell.killMaster() }
  func comeBack() throws { try cell.restartMaster() }
  var silence: String { "unable to send message to qmaster" }

  func endThere(_ job: JobStatus, supervisor: Int32) throws {
    try cell.call("qdel", job.engineJob ?? "")
  }

  /// Grid Engine does not report who ended a job.
  var outcomeThere: Outcome { .interrupted }

  func awaitNothingLeft() throws { try cell.awaitQueue("an empty queue") { $0.isEmpty } }

  func misled() throws -> [String: String] {
    let path = try workshop.path(misleading: [
      "qsub": [
        "/usr/bin/qsub \"$@\"; echo 'got send timeout' >&2; exit 1",
        "echo 'error: unable to send message to qmaster: connection refused' >&2; exit 1",
        "/usr/bin/qsub \"$@\" > /dev/null; echo '<html>'",
      ],
      "qstat": ["echo '<html>'", "exit 1", "/usr/bin/qstat \"$@\" | head -n 3"],
    ])
    return environment.merging(path) { $1 }
  }

  static let absence =
    "no Grid Engine is installed (Debian: apt install gridengine-master gridengine-exec)"
}

extension Trait where Self == ConditionTrait {
  /// Skips a suite without an installed Grid Engine.
  static var needsGridEngine: Self {
    .enabled(if: GridEngineCell.isInstalled, "\(GridEngineWorkshop.absence)")
  }
}
