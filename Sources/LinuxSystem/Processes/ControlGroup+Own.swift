extension ControlGroup {
  /// The group of this process; nil without a mounted version 2 hierarchy that shows it.
  ///
  /// `root` is put before the paths below `/proc`; tests pass a tree of their own.
  package static func own(root: String = "") -> ControlGroup? {
    guard let group = ownName(root), let mount = mount(root), !group.hasPrefix("/..") else {
      return nil
    }
    // The mount may show a part of the hierarchy, whose prefix the path then lacks.
    let below = mount.root == "/" ? group[...] : group.dropFirst(mount.root.utf8.count)
    guard mount.root == "/" || group == mount.root || group.hasPrefix(mount.root + "/") else {
      return nil
    }
    return ControlGroup(path: mount.point + (below == "/" ? "" : below))
  }

  /// The line `0::/a/b` of proc_pid_cgroup(5); on hybrid systems it stands among those of version 1.
  private static func ownName(_ root: String) -> String? {
    let bytes = (try? File.readAll("\(root)/proc/self/cgroup", limit: 1 << 16)) ?? []
    let prefix = Array("0::/".utf8)
    let line = bytes.split(separator: 0x0A).first { $0.starts(with: prefix) }
    return line.map { String(decoding: $0.dropFirst(prefix.count - 1), as: UTF8.self) }
  }

  /// The first mount of type cgroup2 (proc_pid_mountinfo(5)): the group it shows and the mount point.
  private static func mount(_ root: String) -> (root: String, point: String)? {
    let bytes = (try? File.readAll("\(root)/proc/self/mountinfo", limit: 1 << 20)) ?? []
    for line in bytes.split(separator: 0x0A) {
      let fields = line.split(separator: 0x20)
      guard fields.count > 6,
        let hyphen = fields[6...].firstIndex(where: { $0.elementsEqual([0x2D]) }),
        hyphen + 1 < fields.count, fields[hyphen + 1].elementsEqual("cgroup2".utf8)
      else { continue }
      return (
        String(decoding: fields[3], as: UTF8.self), String(decoding: fields[4], as: UTF8.self)
      )
    }
    return nil
  }
}
