import Glibc
import LinuxSystem

/// A control group of this program's own in which no process can be made (the pids controller, of
/// version 1 or 2): a limit of the user (RLIMIT_NPROC) does not bind root.
enum ProcessBound {
  private static let name = "jobrun-torture-\(getpid())"

  /// This program's own group, where others can be made; nil = there is none.
  private static let parent: String? = {
    let groups = (try? File.readAll("/proc/self/cgroup")) ?? []
    for line in String(decoding: groups, as: UTF8.self).split(separator: "\n") {
      // NUMBER:CONTROLLERS:PATH, and no controllers in version 2.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[1] == "pids" || parts[1].isEmpty else { continue }
      let parent = "/sys/fs/cgroup\(parts[1].isEmpty ? "" : "/pids")\(parts[2])"
      guard (try? File.makeDirectory("\(parent)/\(name)")) != nil else { continue }
      let isBound = File.exists("\(parent)/\(name)/pids.max")
      _ = unsafe rmdir("\(parent)/\(name)")
      if isBound { return parent }
    }
    return nil
  }()

  static var isPossible: Bool { parent != nil }

  /// None of these can make a process any more; one may have ended meanwhile.
  static func begin(_ processes: [Int32]) throws {
    guard let parent else { return }
    try File.makeDirectory("\(parent)/\(name)")
    for pid in processes { try? write("\(pid)", to: "\(parent)/\(name)/cgroup.procs") }
    try write("0", to: "\(parent)/\(name)/pids.max")
  }

  /// Lets them go where they were.
  static func end() throws {
    guard let parent else { return }
    try write("max", to: "\(parent)/\(name)/pids.max")
    repeat {
      let members = try File.readAll("\(parent)/\(name)/cgroup.procs")
      for pid in String(decoding: members, as: UTF8.self).split(separator: "\n") {
        try? write(String(pid), to: "\(parent)/cgroup.procs")
      }
      if unsafe rmdir("\(parent)/\(name)") == 0 { return }
    } while errno == EBUSY
    throw Machine.Failure(description: "the control group \(parent)/\(name) cannot be removed")
  }

  private static func write(_ text: String, to path: String) throws {
    try File.open(path, .write).writeAll(Array(text.utf8))
  }
}
