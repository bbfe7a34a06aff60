import JobCore
import LinuxSystem

/// What the machine runs on: looked at when somebody asks, and again and again only while jobs wait for
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

  init(tree: SystemTree, isAwaited: @escaping () -> Bool) {
    self.tree = tree
    self.isAwaited = isAwaited
  }

  var nextDue: Instant? { isAwaited() ? newest.map { $0.at + Self.interval } : nil }

  func act(at now: Instant) { newest = nil }

  /// What it runs on now.
  func look() -> Energy {
    let now = Instant.now()
    if let newest, now - newest.at < Self.freshness { return newest.energy }
    let energy = EnergyProbe().read(tree).fact ?? Energy()
    newest = (now, energy)
    return energy
  }
}
