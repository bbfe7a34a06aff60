/// The first walk of a job: counts the bytes that it has to read.
package struct SourceSize: TreeVisitor {
  private var files = 0
  private var bytes: Int64 = 0
  private var linked: Set<FileIdentity> = []
  private let countsLinksOnce: Bool
  private let status: StatusLine

  /// Walks through `source`.
  ///
  /// `linksOnce`: a file with several names there is read only once.
  /// - Throws: `CancellationError` when the task is asked to stop.
  package static func bytes(
    of source: BytePath, linksOnce: Bool = true, status: StatusLine
  ) throws -> Int64 {
    var walk = TreeWalk(visitor: SourceSize(linksOnce, status))
    try walk.walk(source, as: BytePath(""))
    return walk.visitor.bytes
  }

  private init(_ countsLinksOnce: Bool, _ status: StatusLine) {
    self.countsLinksOnce = countsLinksOnce
    self.status = status
  }

  package mutating func visit(_ entry: TreeEntry) throws {
    try Task.checkCancellation()
    guard entry.status.kind == .file else { return }
    files += 1
    let files = files
    status.show { "Looking at \(Report.count(files, "file"))…" }
    if entry.status.isLinked, countsLinksOnce {
      guard linked.insert(entry.status.identity).inserted else { return }
    }
    bytes += entry.status.size
  }

  /// The job meets the same problem when it reads, and reports it.
  package func problem(_ path: BytePath, _ number: Int32) {}
}
