import Glibc
import LinuxSystem

/// A separate control group with next to nothing of one resource (version 1 or 2): a user's limits do not apply
/// to root.
struct GroupBound {
  /// No process can be made.
  static let processes = GroupBound("pids", limits: ["pids.max"], least: "0", all: ["max"])
  /// Of memory some pages are left.
  static let memory = GroupBound(
    "memory", limits: ["memory.max", "memory.limit_in_bytes"], least: "4194304", all: ["max", "-1"])

  /// The group, which is there while something is bound; nil = none can be made here.
  private let group: String?
  private let limit: String
  private let least: String
  /// The value that lifts the limit, by version.
  private let all: [String]

  /// `limits`: the controller's file, in version 2 and in version 1.
  private init(_ controller: String, limits: [String], least: String, all: [String]) {
    (self.least, self.all) = (least, all)
    let groups = (try? File.readAll("/proc/self/cgroup")) ?? []
    for line in String(decoding: groups, as: UTF8.self).split(separator: "\n") {
      // NUMBER:CONTROLLERS:PATH, and no controllers in version 2.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1] == controller || parts[1].isEmpty else { continue }
      let mount = "/sys/fs/cgroup\(parts[1].isEmpty ? "" : "/\(controller)")"
      let group =
        "\(mount)\(parts[2] == "/" ? "" : parts[2])/jobrun-torture-\(controller)-\(getpid())"
      guard (try? File.makeDirectory(group)) != nil else { continue }
      let limit = limits.first { File.exists("\(group)/\($0)") }
      _ = unsafe rmdir(group)
      guard let limit else { continue }
      (self.group, self.limit) = (group, limit)
      return
    }
    (group, limit) = (nil, "")
  }

  var isPossible: Bool { group != nil }

  /// Limits these processes; some may have ended meanwhile.
  func begin(_ processes: [Int32]) throws {
    guard let group else { return }
    try File.makeDirectory(group)
    for pid in processes { try? write("\(pid)", to: "\(group)/cgroup.procs") }
    try write(least, to: "\(group)/\(limit)")
  }

  /// Moves the processes back to their old group; how many the kernel has killed in it for lack of memory.
  func end() throws -> Int {
    guard let group else { return 0 }
    for word in all { try? write(word, to: "\(group)/\(limit)") }
    repeat {
      let members = try File.readAll("\(group)/cgroup.procs")
      for pid in String(decoding: members, as: UTF8.self).split(separator: "\n") {
        try? write(String(pid), to: "\(File.parent(of: group))/cgroup.procs")
      }
      let killed = Self.killed(in: group)
      if unsafe rmdir(group) == 0 { return killed }
    } while errno == EBUSY
    throw Machine.Failure(description: "the control group \(group) cannot be removed")
  }

  /// As `memory.events` says, or in version 1 `memory.oom_control`.
  private static func killed(in group: String) -> Int {
    let bytes = ["memory.events", "memory.oom_control"].lazy
      .compactMap { try? File.readAll("\(group)/\($0)") }.first
    let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("oom_kill ") }
    return line.flatMap { Int($0.dropFirst("oom_kill ".count)) } ?? 0
  }

  private func write(_ text: String, to path: String) throws {
    try File.open(path, .write).writeAll(Array(text.utf8))
  }
}
