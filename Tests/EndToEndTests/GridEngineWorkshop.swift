import Foundation
import TestKit
import Testing

/// A workshop with a separate, real Grid Engine, on which its engine `grid` of kind `batch` runs attempts.
struct GridEngineWorkshop {
  let workshop: Workshop
  let cell: GridEngineCell
  /// For the process that starts the runner.
  var environment: [String: String] { cell.environment }

  init() throws {
    workshop = try Workshop(slots: 1)
    cell = try GridEngineCell(workshop.sandbox)
    try configure()
  }

  /// `more`: further keys of the engine.
  func configure(_ more: String = "") throws {
    let shared = workshop.sandbox.path("shared")
    try Data(
      #"{"engines": {"grid": {"kind": "batch", "preset": "gridengine", "folder": "\#(shared)"\#(more)}}}"#
        .utf8
    ).write(to: URL(fileURLWithPath: workshop.sandbox.home + "/config.json"))
  }

  /// With commands of the test's own before Grid Engine's.
  func environment(_ scripts: [String: String]) throws -> [String: String] {
    for (command, script) in scripts {
      try workshop.sandbox.write("#!/bin/sh\n\(script)\n", to: "bad/\(command)", executable: true)
    }
    let path = workshop.sandbox.path("bad") + ":" + (workshop.sandbox.environment["PATH"] ?? "")
    return environment.merging(["PATH": path]) { $1 }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a suite without an installed Grid Engine.
  static var needsGridEngine: Self {
    .enabled(
      if: GridEngineCell.isInstalled,
      "no Grid Engine is installed (Debian: apt install gridengine-master gridengine-exec)")
  }
}
