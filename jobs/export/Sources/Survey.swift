internal import JobFiles

/// The first walk: counts the bytes to pack.
struct Survey: TreeVisitor {
  private(set) var files = 0
  private(set) var bytes: Int64 = 0
  private var linked: Set<FileIdentity> = []
  private let format: ArchiveFormat
  private let status: StatusLine

  /// Walks through the source of `plan`.
  ///
  /// - Throws: `CancellationError` when the task is asked to stop.
  static func bytes(of plan: ExportPlan, status: StatusLine) throws -> Int64 {
    var walk = TreeWalk(visitor: Survey(format: plan.format, status: status))
    try walk.walk(plan.source, as: plan.name)
    return walk.visitor.bytes
  }

  private init(format: ArchiveFormat, status: StatusLine) {
    self.format = format
    self.status = status
  }

  mutating func visit(_ entry: TreeEntry) throws {
    try Task.checkCancellation()
    guard entry.status.kind == .file else { return }
    files += 1
    let files = files
    status.show { "Looking at \(Report.count(files, "file"))…" }
    if entry.status.isLinked, format.storesHardLinks {
      guard linked.insert(entry.status.identity).inserted else { return }
    }
    bytes += entry.status.size
  }

  /// The packing meets the same problem and reports it.
  func problem(_ path: BytePath, _ number: Int32) {}
}
