import JobCore
import JobWire
import LinuxSystem
import MachineProbes

/// The machine's power source and its pressure: read on demand, and repeatedly only while jobs wait for a
/// change.
final class PowerWatch: Part {
  /// Readings up to this age are reused.
  private static let freshness = Interval.seconds(5)
  /// Between two looks while jobs wait.
  private static let interval = Interval.seconds(30)

  private let tree: SystemTree
  /// Whether jobs wait for power.
  private let isAwaited: () -> Bool
  private var newest: (at: Instant, energy: BatteryState)?
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

  /// The current pressure; nil if the kernel does not report it.
  var pressure: ResourcesReport.Pressure? {
    let now = Instant.now()
    if let latestPressure, now - latestPressure.at < Self.freshness {
      return latestPressure.pressure
    }
    let pressure = PressureProbe().read(tree).fact
    latestPressure = (now, pressure)
    return pressure
  }

  /// The current power source.
  func look() -> BatteryState {
    let now = Instant.now()
    if let newest, now - newest.at < Self.freshness { return newest.energy }
    let energy = BatteryProbe().read(tree).fact ?? BatteryState()
    newest = (now, energy)
    return energy
  }
}

extension ResourcesReport.Pressure {
  /// The percentage of the last ten seconds in which processes waited for memory, or for a disk, beyond which
  /// more work would only slow all down.
  ///
  /// Processors are not considered: deferrable work runs on their idle time.
  private static let (memoryLimit, ioLimit) = (25.0, 75.0)

  /// The short resource, in a sentence; nil = none is.
  var shortage: String? {
    if memory >= Self.memoryLimit {
      return "memory was short for \(Int(memory)) % of the last ten seconds"
    }
    if io >= Self.ioLimit {
      return "processes waited for disks for \(Int(io)) % of the last ten seconds"
    }
    return nil
  }
}
