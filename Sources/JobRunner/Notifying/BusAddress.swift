import LinuxSystem

/// The address of the session bus: `DBUS_SESSION_BUS_ADDRESS`, otherwise `$XDG_RUNTIME_DIR/bus`.
///
/// The runner's own environment takes precedence; if it has no bus (the runner was started at boot, or over a
/// connection without a session), that of the newest submission with one is used.
struct BusAddress {
  enum Answer: Hashable {
    /// The helper's environment entries, `NAME=VALUE`.
    case found([[UInt8]])
    /// One phrase.
    case absent(why: String)
  }

  private static let names = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]
  /// The prefixes of their entries; each submission is searched for them.
  static let prefixes = names.map { Array("\($0)=".utf8) }

  private let own: [[UInt8]]
  private var lent: [[UInt8]] = []

  /// `environment`: entries `NAME=VALUE`, of the runner.
  init(environment: [[UInt8]]) {
    own = Self.entries(of: environment)
  }

  /// Notes a submitter's environment, if the runner's own has no address.
  mutating func learn(from environment: [[UInt8]]) {
    guard Self.address(in: own) == nil else { return }
    let entries = Self.entries(of: environment)
    if Self.address(in: entries) != nil { lent = entries }
  }

  /// Looks again each time: a bus comes with the desktop, perhaps after the runner.
  var answer: Answer {
    if let found = Self.address(in: own) ?? Self.address(in: lent) { return .found(found) }
    let folder = Self.value("XDG_RUNTIME_DIR", in: own).map { "there is no \($0)/bus" }
    return .absent(
      why: "no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and "
        + (folder ?? "neither is XDG_RUNTIME_DIR"))
  }

  /// The entries with the address of a bus; nil without one.
  private static func address(in entries: [[UInt8]]) -> [[UInt8]]? {
    if value(names[0], in: entries) != nil { return entries }
    guard let folder = value(names[1], in: entries), File.exists(folder + "/bus") else {
      return nil
    }
    return entries
  }

  private static func entries(of environment: [[UInt8]]) -> [[UInt8]] {
    environment.filter { entry in prefixes.contains { entry.starts(with: $0) } }
  }

  /// Nil when it is empty, too.
  private static func value(_ name: String, in entries: [[UInt8]]) -> String? {
    let prefix = "\(name)="
    guard let entry = entries.first(where: { $0.starts(with: prefix.utf8) }) else { return nil }
    let value = String(decoding: entry.dropFirst(prefix.utf8.count), as: UTF8.self)
    return value.isEmpty ? nil : value
  }
}
