import LinuxSystem
import TestKit

/// A program that queues commands: ours, or another.
struct Peer {
  var name: String
  let bench: Workbench
  /// The whole command that queues this one and returns.
  var submit: ([String]) -> [String]
  /// The whole command that runs this one with many inputs; nil without one.
  var submitAll: (([String], [String]) -> [String])?
  /// Waits until all that was queued has run, and forgets it.
  var drain: () throws -> Void
  /// Ends its remaining processes.
  var stop: () throws -> Void = {}

  /// Ours, with the home of this bench.
  static func ours(_ name: String, _ bench: Workbench) throws -> Peer {
    let command = try bench.jobrun("run", "--detach", "--")
    let each = try bench.jobrun("each", "--quiet", "--")
    // Its runner is there before the first figure is taken.
    _ = try bench.channel()
    return Peer(
      name: name, bench: bench, submit: { command + $0 },
      submitAll: { each + $0 + [":::"] + $1 },
      drain: { try Settling.wait(on: bench.channel()) }, stop: { try bench.stopRunner() })
  }
}
