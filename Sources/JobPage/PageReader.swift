package import LinuxSystem

/// Reads a worker's page for runner and terminal, and trusts no byte of it.
///
/// It reads with pread(2) and never maps, so that a page truncated by the worker is an ordinary result.
package struct PageReader: ~Copyable {
  private let file: FileDescriptor
  // The last texts that were read completely, with their sequence.
  private var title = ""
  private var subtitle = ""
  private var textSequence: UInt64 = 0
  /// Sequence 0 may have texts, too: the runner's, from before the worker started.
  private var hasReadTexts = false

  /// Opens the page; a file that is no page is no error but the condition of its snapshots.
  package init(path: String) throws(JobPageError) {
    file = try JobPageError.wrapping { () throws(SystemError) in
      try File.open(path, [.read, .noFollow, .nonblocking])
    }
  }

  /// Reads the page in a file, through a duplicate descriptor.
  package init(duplicating file: borrowing FileDescriptor) throws(JobPageError) {
    self.file = try JobPageError.wrapping { () throws(SystemError) in try file.duplicate() }
  }

  /// Reads the page now; takes one system call (two or more while texts change) and never fails.
  package mutating func snapshot() -> PageSnapshot {
    var snapshot = PageSnapshot()
    do throws(SystemError) {
      let page = PageBytes(bytes: try file.read(at: 0, maximum: PageLayout.size))
      if page.bytes.count < PageLayout.size {
        snapshot.condition = .truncated
      } else if !page.hasHeader {
        snapshot.condition = .garbage
      } else {
        try readTexts(page)
        Self.fill(&snapshot, page)
        if snapshot.condition == .intact { snapshot.textSequence = textSequence }
      }
    } catch {
      snapshot.condition = .unreadable
    }
    snapshot.title = title
    snapshot.subtitle = subtitle
    return snapshot
  }

  /// Whether the worker has declared on its page that it failed.
  package static func declaresFailure(_ path: String) -> Bool {
    guard var reader = try? PageReader(path: path) else { return false }
    return reader.snapshot().outcome == .failure
  }

  /// The content of a page, or of its first half, from bytes that were read at once.
  package static func snapshot(image: [UInt8]) -> PageSnapshot {
    let page = PageBytes(bytes: image)
    var snapshot = PageSnapshot()
    guard image.count >= Mirror.imageSize, page.hasHeader else {
      snapshot.condition = image.allSatisfy { $0 == 0 } ? .truncated : .garbage
      return snapshot
    }
    fill(&snapshot, page)
    guard snapshot.condition == .intact else { return snapshot }
    snapshot.textSequence = page.word64(PageLayout.textSequence)
    snapshot.title = page.text(PageLayout.title) ?? ""
    snapshot.subtitle = page.text(PageLayout.subtitle) ?? ""
    return snapshot
  }

  private static func fill(_ snapshot: inout PageSnapshot, _ page: PageBytes) {
    snapshot.completed = page.count(PageLayout.completed)
    snapshot.total = page.count(PageLayout.total)
    snapshot.reports = page.word64(PageLayout.reports)
    snapshot.quietUntil = page.word64(PageLayout.quietUntil)
    snapshot.deferSeconds = page.word32(PageLayout.deferSeconds)
    snapshot.pause = PagePause(
      mark: page.word64(PageLayout.pauseMark), since: page.word64(PageLayout.pausedSince),
      keepsSlot: page.word32(PageLayout.keepsSlot) != 0,
      before: page.word64(PageLayout.pausedBefore),
      until: page.word64(PageLayout.pausedUntil))
    snapshot.hasBegun = page.word32(PageLayout.begun) != 0
    if page.word32(PageLayout.control) != 0 {
      snapshot.stop = PageStop(
        reason: page.word32(PageLayout.stopReason),
        deadline: page.word64(PageLayout.stopDeadline))
    }
    if let unit = PageUnit(rawValue: page.word32(PageLayout.unit)),
      let outcome = PageOutcome(rawValue: page.word32(PageLayout.outcome)),
      let message = page.text(PageLayout.message)
    {
      snapshot.unit = unit
      snapshot.outcome = outcome
      snapshot.message = message
    } else {
      snapshot = PageSnapshot()
      snapshot.condition = .garbage
    }
  }

  /// Updates the texts if they changed and can be read completely within a few tries.
  private mutating func readTexts(_ first: PageBytes) throws(SystemError) {
    var page = first
    for _ in 0..<4 {
      let sequence = page.word64(PageLayout.textSequence)
      if hasReadTexts, sequence == textSequence { return }
      let after = try file.read(at: UInt64(PageLayout.textSequence), maximum: 8)
      if sequence % 2 == 0, after == sequence.littleEndianBytes {
        // An impossible length means a half-written text: the last good one stays.
        title = page.text(PageLayout.title) ?? title
        subtitle = page.text(PageLayout.subtitle) ?? subtitle
        textSequence = sequence
        hasReadTexts = true
        return
      }
      page = PageBytes(bytes: try file.read(at: 0, maximum: PageLayout.size))
      if page.bytes.count < PageLayout.size { return }
    }
  }
}
