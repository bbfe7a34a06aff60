import JobClient
import JobWire
import LinuxSystem

/// Where a process lives for systemd, and so what it survives.
enum Residence: Hashable, Sendable {
  /// A unit of the user's manager, which goes on after a log-out or not.
  case unit(String, lasts: Bool)
  /// A login session by its name.
  case session(String)

  /// Nil where systemd has no say.
  ///
  /// `groups`: the content of `/proc/PID/cgroup` (cgroups(7)), such as
  /// `0::/user.slice/user-1000.slice/session-3.scope`.
  init?(groups: String, lasts: Bool) {
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[1].isEmpty || fields[1] == "name=systemd" else { continue }
      let names = fields[2].split(separator: "/")
      if let name = names.last(where: { $0.hasPrefix("session-") && $0.hasSuffix(".scope") }) {
        self = .session(String(name.dropFirst("session-".count).dropLast(".scope".count)))
        return
      }
      if let manager = names.firstIndex(where: { $0.hasPrefix("user@") }),
        let name = names[(manager + 1)...].last(where: { $0.hasSuffix(".service") })
      {
        self = .unit(String(name), lasts: lasts)
        return
      }
    }
    return nil
  }

  /// For `runner status`.
  var sentence: String {
    switch self {
    case .unit(let name, true):
      "\(name) of your systemd: outlives your log-out, comes back when it is killed"
    case .unit(let name, false):
      "\(name) of your systemd: ends with your last session, its jobs too; loginctl enable-linger"
        + " keeps them"
    case .session(let name):
      "login session \(name): a log-out may end it and its jobs (KillUserProcesses);"
        + " loginctl enable-linger; jobrun runner restart moves it out"
    }
  }
}

extension Program {
  /// Where the runner lives, if that can be told.
  func residence(_ status: RunnerStatus) -> Residence? {
    guard let bytes = try? File.readAll("/proc/\(status.pid)/cgroup", limit: 65_536) else {
      return nil
    }
    return Residence(
      groups: String(decoding: bytes, as: UTF8.self),
      lasts: UserSystemd(surroundings.environment) != nil)
  }
}
