internal import JobCore

/// The remaining charge, and whether to save power.
package struct BatteryState: Hashable, Sendable {
  /// Of the fullest battery while it discharges; nil on external power, or if unknown.
  package var percentLeft: Int?
  /// The firmware's or the desktop's power saver is on, in one sentence; nil = it is off.
  package var saver: String?

  package init() {}

  /// Why work that can wait should; nil = it need not.
  ///
  /// `bound`: the percentage below which a battery is low.
  package func shortage(below bound: Int) -> String? {
    saver ?? lowBattery(below: bound)
  }

  package func lowBattery(below bound: Int) -> String? {
    guard let percentLeft, percentLeft < bound else { return nil }
    return "the battery has \(percentLeft) % left, below \(bound) %"
  }
}

/// Reads the batteries and the platform profile, in which power-profiles-daemon and desktops set their power
/// saver (kernel: Documentation/ABI/testing/sysfs-platform_profile).
package struct BatteryProbe: Probe {
  private static let profile = "/sys/firmware/acpi/platform_profile"

  package init() {}

  package func read(_ tree: SystemTree) -> Reading<BatteryState> {
    let supplies = PowerProbe.supplies(in: tree)
    let condition = PowerProbe.condition(supplies)
    var energy = BatteryState()
    if !condition.holds {
      energy.percentLeft =
        supplies.filter { $0.isBattery }.compactMap { $0.percent }.filter { (0...100).contains($0) }
        .max()
    }
    if tree.word(Self.profile) == "low-power" {
      energy.saver = "the battery saver is on (platform profile low-power)"
    }
    return .present(energy, why: energy.saver ?? condition.why)
  }
}
