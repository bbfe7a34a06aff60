import JobCore
import JobWire
import LinuxSystem

/// Files that runners die of: a fault of ours, which must not cost more than the one job.
final class SuspectFiles {
  /// The number of runners that may trap at a file before it is set aside.
  private static let trapsAtMost = 2

  private let paths: Paths
  private let notes: RunnerNotes
  /// Which files earlier runners died of; nil where that cannot be kept.
  private var log: TrapLog?

  init(_ paths: Paths, notes: RunnerNotes) {
    self.paths = paths
    self.notes = notes
    log = try? TrapLog(paths.runnerTraps)
  }

  /// Reads a file in the folder of run records; nil if it was set aside because earlier runners crashed at it.
  func reading<Result, Problem: Error>(
    _ path: String, _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result? {
    let name = path.lastComponent
    guard (log?.traps(at: name) ?? 0) < Self.trapsAtMost else {
      setAside(path, name)
      return nil
    }
    return try TrapLog.during(name, body)
  }

  /// Whether earlier runners crashed at this name; clears the count for the next one.
  func hasKilled(_ name: String) -> Bool {
    guard (log?.traps(at: name) ?? 0) >= Self.trapsAtMost else { return false }
    log?.forget(name)
    return true
  }

  private func setAside(_ path: String, _ name: String) {
    log?.forget(name)
    let aside = "\(paths.stateDirectory)/\(name).broken-\(RandomBytes.hexadecimal(count: 8))"
    do throws(SystemError) {
      try File.rename(path, to: aside)
      notes.add(
        "\(Self.trapsAtMost) runners died while they read \(path); it was set aside as \(aside)")
    } catch {
      notes.add("\(path) cannot be set aside: \(error)")
    }
  }
}

extension String {
  /// The part after the last slash.
  fileprivate var lastComponent: String {
    split(separator: "/").last.map { String($0) } ?? self
  }
}
