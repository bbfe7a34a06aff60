package import JobCore

/// Whether there is a default route over an interface that is up.
///
/// The kernel's routing tables say more than a name lookup or a connection attempt could without
/// traffic: `/proc/net/route`, `/proc/net/ipv6_route` (proc(5)) and the interface's `operstate`
/// (kernel: Documentation/networking/operstates.rst).
package struct NetworkProbe: Probe {
  /// `RTF_UP` and `RTF_REJECT` of <linux/route.h>.
  private static let up: UInt32 = 0x1
  private static let reject: UInt32 = 0x200

  package init() {}

  package func read(_ tree: SystemTree) -> Reading<Condition> {
    let version4 = tree.text("/proc/net/route").map(Self.defaultInterfaces4) ?? []
    let version6 = tree.text("/proc/net/ipv6_route").map(Self.defaultInterfaces6) ?? []
    var down: [String] = []
    for interface in version4 + version6 {
      let state = tree.word("/sys/class/net/\(interface)/operstate") ?? "unknown"
      if state == "up" || state == "unknown" {
        return Self.present(true, "the default route goes over \(interface), which is up")
      }
      down.append("\(interface) is \(state)")
    }
    if let first = down.first {
      return Self.present(false, "the default route's interface \(first)")
    }
    return Self.present(false, "there is no default route")
  }

  private static func present(_ holds: Bool, _ why: String) -> Reading<Condition> {
    .present(Condition(holds: holds, why: why), why: why)
  }

  /// Columns: interface, destination, gateway, flags, references, use, metric, mask; hexadecimal.
  static func defaultInterfaces4(_ table: String) -> [String] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split { $0 == " " || $0 == "\t" }
      guard columns.count >= 8, isZero(columns[1]), isZero(columns[7]),
        isUsable(columns[3])
      else { return nil }
      return name(columns[0])
    }
  }

  /// Columns: destination, its prefix length, source, its prefix length, next hop, metric,
  /// references, use, flags, interface; hexadecimal.
  static func defaultInterfaces6(_ table: String) -> [String] {
    table.split(separator: "\n").compactMap { line in
      let columns = line.split { $0 == " " || $0 == "\t" }
      guard columns.count >= 10, isZero(columns[0]), isZero(columns[1]), isUsable(columns[8])
      else { return nil }
      return name(columns[9])
    }
  }

  private static func isZero(_ column: Substring) -> Bool {
    column.allSatisfy { $0 == "0" }
  }

  private static func isUsable(_ flags: Substring) -> Bool {
    guard let flags = UInt32(flags, radix: 16) else { return false }
    return flags & up != 0 && flags & reject == 0
  }

  /// The loopback interface leads nowhere; a name with a slash is not an interface's.
  private static func name(_ column: Substring) -> String? {
    column == "lo" || column.contains("/") ? nil : String(column)
  }
}
