import Foundation
import LinuxSystem
import TestKit

/// The size of an installation, on the disk and packed.
enum SizeRows {
  static func measure(_ bench: Workbench) throws -> [Row] {
    let command = try URL(fileURLWithPath: Workbench.command)
    let prefix = command.deletingLastPathComponent().deletingLastPathComponent()
    let archive = bench.sandbox.path("jobrun.tar.xz")
    try bench.run([
      "sh", "-c", "tar -C \"$0\" -c . | xz -9 -T0 >\"$1\"", prefix.path, archive,
    ])
    return [
      row("the command", try size(of: command.path)),
      row(
        "the supervisor", try size(of: prefix.path + "/libexec/jobrun/jobrun-shim"), .atMost(1)),
      row(
        "the runner", try size(of: prefix.path + "/libexec/jobrun/jobrund")),
      row("installed", try installed(below: prefix), .atMost(60)),
      row("installed, packed by xz", try size(of: archive), .atMost(15)),
    ]
  }

  private static func row(_ name: String, _ bytes: Double, _ budget: Row.Budget = .none) -> Row {
    Row(name: "size, \(name)", unit: .megabytes, ours: Series([bytes / 1e6]), budget: budget)
  }

  private static func size(of path: String) throws -> Double {
    guard let status = try File.status(path, followingLinks: true) else {
      throw Fault("there is no \(path)")
    }
    return Double(status.size)
  }

  /// Hard links count once.
  private static func installed(below prefix: URL) throws -> Double {
    var sizes: [UInt64: UInt64] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: prefix.path) {
      let status = try File.status(prefix.path + "/" + name, followingLinks: false)
      if let status, status.kind == .file { sizes[status.node] = status.size }
    }
    return Double(sizes.values.reduce(0, +))
  }
}
