package import JobWire
import LinuxSystem

/// The systemd user unit that starts the runner; a value, so that its text can be tested.
package struct RunnerUnit: Hashable, Sendable {
  package static let name = "jobrun.service"

  private let environment: Environment

  package init(_ environment: Environment) {
    self.environment = environment
  }

  /// The folder of the user's units; nil without a home folder.
  package var folder: String? {
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
      return base + "/systemd/user"
    }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.config/systemd/user" : nil }
  }

  /// Whether the unit exists, starts at login, and belongs to this store.
  package var isEnabled: Bool {
    guard let folder, File.exists("\(folder)/default.target.wants/\(Self.name)"),
      let bytes = try? File.readAll("\(folder)/\(Self.name)", limit: 65_536)
    else { return false }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    return lines.filter { $0.hasPrefix(Self.variable) } == variables
  }

  /// The text of the unit file.
  package func text(starting runner: String) -> String {
    let lines =
      [
        "# Written by jobrun runner enable; jobrun runner disable removes it.", "[Unit]",
        "Description=The runner of jobrun", "", "[Service]", "ExecStart=\(Self.quoted(runner))",
      ] + UserSystemd.properties(of: Self.quoted(runner)) + variables
      + ["", "[Install]", "WantedBy=default.target"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static let variable = "Environment="

  /// The variables that select the store.
  private var variables: [String] {
    UserSystemd.kept.compactMap { name in
      environment[name].flatMap {
        $0.isEmpty ? nil : Self.variable + Self.quoted("\(name)=\($0)", doubling: ["%"])
      }
    }
  }

  /// In quotation marks, with systemd's special characters doubled: `$` only in command lines
  /// (systemd.syntax(7), systemd.exec(5)).
  private static func quoted(_ text: String, doubling marks: [Character] = ["%", "$"]) -> String {
    var escaped = text.escaping(["\\": "\\\\", "\"": "\\\""])
    for mark in marks { escaped = escaped.escaping([mark: "\(mark)\(mark)"]) }
    return "\"\(escaped)\""
  }
}
