import JobCore
import JobWire
import LinuxSystem

// Files that runners die of: a fault of ours, which must not cost more than the one job.
extension Runner {
  /// So many runners may trap at a file before it is set aside.
  private static let trapsAtMost = 2

  /// Reads something from a file in the folder of run records; nil when it was set aside, as earlier
  /// runners died of it.
  func reading<Result, Problem: Error>(
    _ path: String, _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result? {
    let name = path.lastComponent
    guard (trapLog?.traps(at: name) ?? 0) < Self.trapsAtMost else {
      setAside(path, name)
      return nil
    }
    return try TrapLog.during(name, body)
  }

  private func setAside(_ path: String, _ name: String) {
    trapLog?.forget(name)
    let aside = "\(home.places.stateDirectory)/\(name).broken-\(RandomBytes.hexadecimal(count: 8))"
    do throws(SystemError) {
      try File.rename(path, to: aside)
      note("\(Self.trapsAtMost) runners died while they read \(path); it was set aside as \(aside)")
    } catch {
      note("\(path) cannot be set aside: \(error)")
    }
  }
}

extension String {
  /// What follows the last slash.
  fileprivate var lastComponent: String {
    split(separator: "/").last.map { String($0) } ?? self
  }
}
