import Foundation
import JobCore
import JobWire
import TestKit
import Testing

/// A workshop with a separate, real OAR, on which its engines of kind `batch` run attempts.
struct OARWorkshop: EngineWorkshop {
  let workshop: Workshop
  let site: OARSite
  /// For the process that starts the runner.
  var environment: [String: String] { site.environment }

  /// The folder that its engines share with the node; its name is one that a shell would split.
  var folder: String { workshop.sandbox.path("shared by all") }

  init() throws {
    workshop = try Workshop(slots: 1)
    site = try OARSite(workshop.sandbox)
    try configure()
  }

  /// `more`: further keys of each engine.
  func configure(_ engines: [String] = ["oar"], _ more: String = "") throws {
    let keys = #""kind": "batch", "preset": "oar", "folder": "\#(folder)"\#(more)"#
    try workshop.writeEngines(engines.map { ($0, keys) })
  }

  func goAway() { site.stop() }
  func comeBack() throws { try site.restart() }
  var silence: String { "DB connection error" }

  func endThere(_ job: JobStatus, supervisor: Int32) throws {
    try site.call("oardel", job.engineJob ?? "")
  }

  /// OAR ends a running job with a signal that says nothing.
  var outcomeThere: Outcome { .interrupted }

  func awaitNothingLeft() throws { try site.awaitQueue("an empty queue") { $0.isEmpty } }

  func misled() throws -> [String: String] {
    let path = try workshop.path(
      misleading: [
        "oarsub": [
          "oarsub \"$@\"; echo 'connection timed out' >&2; exit 1",
          "echo 'DB connection error, exiting.' >&2; exit 1",
          "oarsub \"$@\" > /dev/null; echo '<html>'",
        ],
        "oarstat": ["echo '<html>'", "exit 1", "oarstat \"$@\" | head -n 3"],
      ].mapValues { $0.map { $0.replacing("oars", with: "\(site.commands)/oars") } },
      in: site.commands)["PATH"]
    return environment.merging(["PATH": (path ?? "") + ":" + (environment["PATH"] ?? "")]) { $1 }
  }

  static let absence =
    "JOBRUN_OAR_ROOT names no OAR, which .ci/oar FOLDER unpacks, or no PostgreSQL is installed"
}
