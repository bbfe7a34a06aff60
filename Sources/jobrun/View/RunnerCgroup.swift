import JobClient
import JobCore
import JobWire
import LinuxSystem

/// The systemd unit of a process, which determines when systemd ends it.
enum RunnerCgroup: Hashable, Sendable {
  /// A service of the user's manager; `lasts`: it continues after a log-out.
  case unit(String, lasts: Bool)
  /// A login session by its name.
  case session(String)
  /// The scope of a desktop program, by its name.
  case scope(String)

  /// Nil without systemd.
  ///
  /// `groups`: the content of `/proc/PID/cgroup` (cgroups(7)), such as
  /// `0::/user.slice/user-1000.slice/session-3.scope`.
  init?(groups: String, lasts: Bool) {
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[1].isEmpty || fields[1] == "name=systemd" else { continue }
      let names = fields[2].split(separator: "/")
      guard let manager = names.firstIndex(where: { $0.hasPrefix("user@") }) else {
        if let name = names.last(where: { $0.hasPrefix("session-") && $0.hasSuffix(".scope") }) {
          self = .session(String(name.dropFirst("session-".count).dropLast(".scope".count)))
          return
        }
        continue
      }
      let below = names[(manager + 1)...]
      guard let name = below.first(where: { $0.hasSuffix(".service") || $0.hasSuffix(".scope") })
      else { continue }
      self = name.hasSuffix(".scope") ? .scope(String(name)) : .unit(String(name), lasts: lasts)
      return
    }
    return nil
  }

  /// For `runner status` without systemd.
  static let none =
    "not a service: it may end when you log out; the next command starts it again"

  /// For `runner status`.
  var sentence: String {
    switch self {
    case .unit(let name, true):
      "\(name) of systemd: keeps running when you log out"
        + (name.hasPrefix("jobrun") ? ", and is restarted if it is killed" : "")
    case .unit(let name, false):
      "\(name) of systemd: ends with your last session, and its jobs with it; loginctl enable-linger"
        + " keeps them running"
    case .session, .scope:
      "not a service: it runs in \(name) and may end when you log out, and its jobs with it; after"
        + " loginctl enable-linger, jobrun runner restart makes it a service for what starts then"
    }
  }

  /// Whether it may end with a log-out though the user's manager does not.
  var endsWithSession: Bool {
    switch self {
    case .session, .scope: true
    case .unit: false
    }
  }

  var name: String {
    switch self {
    case .unit(let name, _), .scope(let name): name
    case .session(let name): "login session \(name)"
    }
  }
}

extension Program {
  /// The unit of a process, if it can be determined.
  func cgroup(of pid: Int32) -> RunnerCgroup? {
    guard let bytes = try? File.readAll("/proc/\(pid)/cgroup", limit: 65_536) else { return nil }
    return RunnerCgroup(
      groups: String(decoding: bytes, as: UTF8.self),
      lasts: UserSystemd(surroundings.environment)?.lasts ?? false)
  }

  /// A sentence for each session that the runner has left behind, and jobs that began in it have not.
  func leftBehind(_ status: RunnerStatus, on link: RunnerLink) throws(WireError) -> [String] {
    guard status.running > 0, let home = cgroup(of: status.pid) else { return [] }
    var running = 0
    var numbers: [RunnerCgroup: [JobNumber]] = [:]
    _ = try link.list(all: false, brief: false) { job in
      guard let pid = job.pid else { return true }
      running += 1
      if let place = cgroup(of: pid), place != home, place.endsWithSession {
        numbers[place, default: []].append(job.number)
      }
      return running < status.running
    }
    return numbers.map { place, numbers in
      let jobs = words(jobs: Array(numbers.prefix(Self.maximumNamed)), of: numbers.count)
      return "\(jobs) began in \(place.name) and may end with it"
    }.sorted()
  }

  /// Jobs in one sentence.
  private static let maximumNamed = 10
}
