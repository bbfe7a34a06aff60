/// Main memory, from `/proc/meminfo` and the control group's limit, whichever is smaller.
package struct MemoryProbe: Probe {
  package struct Amount: Equatable, Sendable {
    package var totalBytes: UInt64
    /// The memory available without swapping, by the kernel's estimate.
    package var availableBytes: UInt64

    package init(totalBytes: UInt64, availableBytes: UInt64) {
      self.totalBytes = totalBytes
      self.availableBytes = availableBytes
    }
  }

  package init() {}

  package func read(_ tree: SystemTree) -> Reading<Amount> {
    guard let text = tree.text("/proc/meminfo") else {
      return .absent(because: "/proc/meminfo cannot be read")
    }
    guard let installed = Self.parse(text) else {
      return .absent(because: "/proc/meminfo lacks MemTotal or MemAvailable")
    }
    var smallest = installed
    for limit in Self.limits(GroupFolders(tree), tree) {
      smallest.totalBytes = min(smallest.totalBytes, limit.totalBytes)
      smallest.availableBytes = min(smallest.availableBytes, limit.availableBytes)
    }
    let isLimited = smallest.totalBytes < installed.totalBytes
    return .present(
      smallest, why: isLimited ? "the control group's memory limit" : "/proc/meminfo")
  }

  /// Lines are `Name:   NUMBER kB` (proc_meminfo(5)); kernels before 3.14 have no MemAvailable.
  static func parse(_ text: String) -> Amount? {
    var values: [Substring: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == ":" }
      guard words.count >= 2, let kibibytes = UInt64(words[1]), kibibytes < 1 << 53 else {
        continue
      }
      values[words[0]] = kibibytes * 1024
    }
    guard let total = values["MemTotal"], total > 0 else { return nil }
    guard let available = values["MemAvailable"] ?? values["MemFree"] else { return nil }
    return Amount(totalBytes: total, availableBytes: min(available, total))
  }

  private static func limits(_ group: GroupFolders, _ tree: SystemTree) -> [Amount] {
    let version2 = group.foldersOfVersion2().compactMap {
      limit(tree, "\($0)/memory.max", "\($0)/memory.current", "\($0)/memory.stat", "inactive_file")
    }
    let version1 = group.folders(version1: "memory").compactMap {
      limit(
        tree, "\($0)/memory.limit_in_bytes", "\($0)/memory.usage_in_bytes", "\($0)/memory.stat",
        "total_inactive_file")
    }
    return version2 + version1
  }

  /// One group's limit, nil without one.
  ///
  /// File pages not used lately count as usage, yet are given back on demand.
  private static func limit(
    _ tree: SystemTree, _ maximum: String, _ current: String, _ statistics: String,
    _ reclaimable: String
  ) -> Amount? {
    guard let total = tree.word(maximum).flatMap(UInt64.init) else { return nil }
    let used = tree.word(current).flatMap(UInt64.init) ?? 0
    let cached = tree.text(statistics).flatMap { value(reclaimable, in: $0) } ?? 0
    let kept = used > cached ? used - cached : 0
    return Amount(totalBytes: total, availableBytes: total > kept ? total - kept : 0)
  }

  private static func value(_ name: String, in text: String) -> UInt64? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == name { return UInt64(words[1]) }
    }
    return nil
  }
}
