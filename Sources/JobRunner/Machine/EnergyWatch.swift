import JobCore
import JobWire
import LinuxSystem

/// What the machine runs on, and what it is short of: looked at when somebody asks, and again and again only while jobs wait for
/// it.
final class EnergyWatch: Part {
  /// A look this fresh is not repeated.
  private static let freshness = Interval.seconds(5)
  /// Between two looks while jobs wait.
  private static let interval = Interval.seconds(30)

  private let tree: SystemTree
  /// Whether jobs wait for power.
  private let isAwaited: () -> Bool
  private var newest: (at: Instant, energy: Energy)?
  private var latestPressure: (at: Instant, pressure: ResourcesReport.Pressure?)?

  init(tree: SystemTree, isAwaited: @escaping () -> Bool) {
    self.tree = tree
    self.isAwaited = isAwaited
  }

  var nextDue: Instant? { isAwaited() ? newest.map { $0.at + Self.interval } : nil }

  func act(at now: Instant) {
    newest = nil
    latestPressure = nil
  }

  /// What it is short of now; nil where the kernel does not tell.
  var pressure: ResourcesReport.Pressure? {
    let now = Instant.now()
    if let latestPressure, now - latestPressure.at < Self.freshness {
      return latestPressure.pressure
    }
    let pressure = PressureProbe().read(tree).fact
    latestPressure = (now, pressure)
    return pressure
  }

  /// What it runs on now.
  func look() -> Energy {
    let now = Instant.now()
    if let newest, now - newest.at < Self.freshness { return newest.energy }
    let energy = EnergyProbe().read(tree).fact ?? Energy()
    newest = (now, energy)
    return energy
  }
}

extension ResourcesReport.Pressure {
  /// Percent of the last ten seconds in which something waited for memory, or for a disk, from which on more
  /// work would only make both slower.
  ///
  /// Processors are not among it: what can wait runs with what others leave of them.
  private static let (memoryLimit, ioLimit) = (25.0, 75.0)

  /// What is short, in a sentence; nil = nothing is.
  var shortage: String? {
    if memory >= Self.memoryLimit {
      return "memory was short for \(Int(memory)) % of the last ten seconds"
    }
    if io >= Self.ioLimit {
      return "disks were waited for in \(Int(io)) % of the last ten seconds"
    }
    return nil
  }
}
