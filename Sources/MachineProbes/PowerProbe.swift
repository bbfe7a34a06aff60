package import JobCore

/// Whether the machine runs on external power, from `/sys/class/power_supply`.
///
/// A machine without a battery runs on external power. Supplies whose `scope` is `Device` belong to a mouse or
/// a headset and do not count (kernel: Documentation/ABI/testing/ sysfs-class-power).
package struct PowerProbe: Probe {
  private static let folder = "/sys/class/power_supply"

  package init() {}

  package func read(_ tree: SystemTree) -> Reading<Condition> {
    let condition = Self.condition(Self.supplies(in: tree))
    return .present(condition, why: condition.why)
  }

  static func supplies(in tree: SystemTree) -> [Supply] {
    tree.entries(folder).compactMap { Supply($0, in: tree, at: "\(folder)/\($0)") }
  }

  /// One power supply of the machine itself.
  struct Supply: Equatable {
    var name: String
    /// Battery or UPS, as against a mains adapter or a USB charger.
    var isBattery: Bool
    var isOnline: Bool
    /// `Charging`, `Discharging`, `Full`, `Not charging`, `Unknown`; empty if not reported.
    var status: String
    var percent: Int?
  }

  static func condition(_ supplies: [Supply]) -> Condition {
    let batteries = supplies.filter { $0.isBattery }
    if let adapter = supplies.first(where: { !$0.isBattery && $0.isOnline }) {
      return Condition(holds: true, why: "the power adapter \(adapter.name) is connected")
    }
    guard let battery = batteries.first else {
      return Condition(holds: true, why: "this machine has no battery")
    }
    if let discharging = batteries.first(where: { $0.status == "Discharging" }) {
      return Condition(holds: false, why: "on battery: \(discharging.described) is discharging")
    }
    if battery.status == "Charging" || battery.status == "Full" {
      return Condition(holds: true, why: "\(battery.described) is \(battery.status.lowercased())")
    }
    if let adapter = supplies.first(where: { !$0.isBattery }) {
      return Condition(holds: false, why: "the power adapter \(adapter.name) is not connected")
    }
    return Condition(holds: true, why: "\(battery.described) does not say that it is discharging")
  }
}

extension PowerProbe.Supply {
  /// Nil for a supply of a peripheral, an empty battery bay, and an entry without a type.
  init?(_ name: String, in tree: SystemTree, at path: String) {
    guard let type = tree.word("\(path)/type") else { return nil }
    if tree.word("\(path)/scope") == "Device" || tree.word("\(path)/present") == "0" { return nil }
    self.init(
      name: name, isBattery: type == "Battery" || type == "UPS",
      isOnline: (Int(tree.word("\(path)/online") ?? "") ?? 0) > 0,
      status: tree.word("\(path)/status") ?? "",
      percent: Int(tree.word("\(path)/capacity") ?? ""))
  }

  fileprivate var described: String {
    guard let percent, (0...100).contains(percent) else { return "battery \(name)" }
    return "battery \(name) (\(percent) %)"
  }
}
