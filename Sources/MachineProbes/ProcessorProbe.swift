/// How many processors this process may use: its affinity and its control group's quota.
package struct ProcessorProbe: Probe {
  package init() {}

  package func read(_ tree: SystemTree) -> Reading<Int> {
    guard let text = tree.text("/proc/self/status") else {
      return .absent(because: "/proc/self/status cannot be read")
    }
    guard let allowed = Self.allowed(text), allowed > 0 else {
      return .absent(because: "/proc/self/status lacks Cpus_allowed_list")
    }
    guard let quota = Self.quotas(GroupFolders(tree), tree).min(), quota < allowed else {
      return .present(allowed, why: "the processors that this process may run on")
    }
    return .present(quota, why: "the control group's processor quota")
  }

  /// `Cpus_allowed_list: 0-3,8` is five (proc_pid_status(5)).
  static func allowed(_ status: String) -> Int? {
    let key = "Cpus_allowed_list:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else {
      return nil
    }
    var count = 0
    for range in line.dropFirst(key.count).filter({ $0 != " " && $0 != "\t" }).split(separator: ",")
    {
      let ends = range.split(separator: "-").compactMap { UInt16($0) }
      guard let first = ends.first, let last = ends.last, first <= last, ends.count <= 2 else {
        return nil
      }
      count += Int(last - first) + 1
    }
    return count
  }

  /// Rounded up, because a quota of one and a half processors keeps two busy part of the time.
  static func processors(quota: String, period: String) -> Int? {
    guard let quota = Int64(quota), let period = Int64(period), quota > 0, period > 0,
      quota < 1 << 53, period < 1 << 53
    else { return nil }
    return Int((quota + period - 1) / period)
  }

  private static func quotas(_ group: GroupFolders, _ tree: SystemTree) -> [Int] {
    let version2 = group.foldersOfVersion2().compactMap { folder -> Int? in
      let words = tree.word("\(folder)/cpu.max")?.split(separator: " ") ?? []
      return words.count == 2
        ? processors(quota: String(words[0]), period: String(words[1])) : nil
    }
    let version1 = group.folders(version1: "cpu").compactMap { folder -> Int? in
      processors(
        quota: tree.word("\(folder)/cpu.cfs_quota_us") ?? "",
        period: tree.word("\(folder)/cpu.cfs_period_us") ?? "")
    }
    return version2 + version1
  }
}
