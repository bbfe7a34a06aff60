/// The control groups of this process, from `/proc/self/cgroup` (cgroups(7)).
///
/// A limit may be set on any group from the root to ours, so the smallest on the way counts. Paths are those of
/// version 2 (`/sys/fs/cgroup`, or `…/unified` on hybrid systems) and version 1.
struct GroupFolders {
  private let tree: SystemTree
  /// Of each controller of version 1, and of "" for version 2.
  private let paths: [String: String]

  init(_ tree: SystemTree) {
    self.tree = tree
    paths = Self.paths(tree.text("/proc/self/cgroup") ?? "")
  }

  /// A group's folder, ours first, then its parents up to the mount point.
  func folders(version1 controller: String) -> [String] {
    guard let path = paths[controller] else { return [] }
    return Self.upwards(path).map { "/sys/fs/cgroup/\(controller)\($0)" }
  }

  func foldersOfVersion2() -> [String] {
    guard let path = paths[""] else { return [] }
    return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].flatMap { mount in
      Self.upwards(path).map { mount + $0 }
    }
  }

  /// Lines are `ID:CONTROLLER[,CONTROLLER]:PATH`; version 2 is the line without a controller.
  static func paths(_ text: String) -> [String: String] {
    var paths: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      for controller in fields[1].split(separator: ",", omittingEmptySubsequences: false) {
        paths[String(controller)] = String(fields[2])
      }
    }
    return paths
  }

  /// A group's path and its parents': `/a/b` gives `/a/b`, `/a` and the empty path.
  ///
  /// Outside our own group namespace the path may start above the local mount (`/..`): then only the mount
  /// point is checked.
  static func upwards(_ path: String) -> [String] {
    let names = path.split(separator: "/")
    if names.contains("..") { return [""] }
    return (0...names.count).reversed().map { count in
      names.prefix(count).map { "/" + $0 }.joined()
    }
  }
}
