internal import JobFiles

/// The first walk: counts the bytes to copy.
struct SourceSize: TreeVisitor {
  private var files = 0
  private var bytes: Int64 = 0
  private var linked: Set<FileIdentity> = []
  private let status: StatusLine

  /// Walks through the source of `plan`.
  ///
  /// - Throws: `CancellationError` when the task is asked to stop.
  static func bytes(of plan: MirrorPlan, status: StatusLine) throws -> Int64 {
    var walk = TreeWalk(visitor: SourceSize(status: status))
    try walk.walk(plan.source, as: BytePath(""))
    return walk.visitor.bytes
  }

  private init(status: StatusLine) {
    self.status = status
  }

  mutating func visit(_ entry: TreeEntry) throws {
    try Task.checkCancellation()
    guard entry.status.kind == .file else { return }
    files += 1
    let files = files
    status.show { "Looking at \(Report.count(files, "file"))…" }
    if entry.status.isLinked {
      guard linked.insert(entry.status.identity).inserted else { return }
    }
    bytes += entry.status.size
  }

  /// The copying meets the same problem and reports it.
  mutating func problem(_ path: BytePath, _ number: Int32) {}
}
