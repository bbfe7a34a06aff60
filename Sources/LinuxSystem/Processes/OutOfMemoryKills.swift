/// The number of processes that the kernel has killed for lack of memory, where it counts them.
///
/// With a group, only its processes are counted; without one, those of this process's own memory group
/// (version 2: `memory.events`; version 1: `memory.oom_control`), else those of the machine
/// (`/proc/vmstat`, since Linux 4.13). The count does not say which process it was; that takes the kernel's
/// log, which few users may read.
package struct OutOfMemoryKills: Hashable, Sendable {
  private let path: String
  private let count: UInt64

  /// Counts now; nil where the kernel does not count.
  ///
  /// `root` is put before every path but that of `group`; tests pass a tree of their own.
  package init?(of group: ControlGroup? = nil, root: String = "") {
    if let path = group.map({ "\($0.path)/memory.events" }), let count = Self.count(in: path) {
      self.path = path
      self.count = count
      return
    }
    for path in Self.paths(root: root) {
      guard let count = Self.count(in: path) else { continue }
      self.path = path
      self.count = count
      return
    }
    return nil
  }

  /// Whether the count has grown since.
  package var hasGrown: Bool { (Self.count(in: path) ?? 0) > count }

  private static func paths(root: String) -> [String] {
    // Without groups there is still the machine's count.
    let groups = (try? File.readAll(root + "/proc/self/cgroup", limit: 1 << 16)) ?? []
    var paths: [String] = []
    for line in groups.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let group = String(decoding: fields[2], as: UTF8.self)
      if fields[1].isEmpty {
        paths.append("\(root)/sys/fs/cgroup\(group)/memory.events")
      } else if fields[1].split(separator: UInt8(ascii: ",")).contains(Array("memory".utf8)[...]) {
        paths.append("\(root)/sys/fs/cgroup/memory\(group)/memory.oom_control")
      }
    }
    return paths + ["\(root)/proc/vmstat"]
  }

  /// The number in the line that begins with `oom_kill`.
  private static func count(in path: String) -> UInt64? {
    guard let bytes = try? File.readAll(path, limit: 1 << 20) else { return nil }
    let name = Array("oom_kill ".utf8)
    let line = bytes.split(separator: 0x0A).first { $0.starts(with: name) }
    return line.flatMap { UInt64(String(decoding: $0.dropFirst(name.count), as: UTF8.self)) }
  }
}
