import JobClient
import JobCore
import JobWire

extension JobTable {
  /// The listed jobs of one submission, which are one row.
  struct Fold {
    let key: BatchKey
    private(set) var first: JobStatus
    private(set) var count = 0
    private(set) var running = 0
    private(set) var failed = 0
    private var last = JobNumber(0)
    /// Of all, listed or not.
    private var size = 0
    /// Those that have not ended and are not listed.
    private var unlisted = 0
    private var waiting = 0
    private var paused = 0
    private var succeeded = 0
    private var cancelled = 0
    /// When the first of them began, and when the last one ended.
    private var begun: WallTime?
    private var over: WallTime?
    /// The shared part of their titles so far.
    private var shared: BatchTitle
    private(set) var position = Int.max
    /// Why the first that waits does.
    private(set) var reason: String?
    /// Those with a question, which are always seen.
    private(set) var asking: [JobStatus] = []

    init(_ job: JobStatus, _ key: BatchKey) {
      self.key = key
      first = job
      shared = BatchTitle([job.title])
      add(job)
    }

    mutating func add(_ job: JobStatus) {
      count += 1
      last = job.lastListed
      size = max(size, job.terms.batchSize ?? key.place(of: last))
      if count > 1 { shared = BatchTitle(shared: shared, count > 2, with: job.title) }
      position = min(position, job.position ?? .max)
      switch (job.state, job.outcome) {
      case (_, .succeeded): succeeded += 1
      case (_, .cancelled): cancelled += 1
      case (_, .some), (.ended, _): failed += 1
      case (.queued, _):
        if waiting == 0 { reason = job.pendingReason.map { SafeText.shown($0.message) } }
        waiting += 1
      case (.paused, _): paused += 1
      case (.launching, _), (.running, _), (.stalled, _), (.stopping, _): running += 1
      }
      if let started = job.started { begun = min(begun ?? started, started) }
      if let ended = job.ended { over = max(over ?? ended, ended) }
      if job.prompt != nil { asking.append(job) }
      if let folded = job.folded { add(folded, title: job.title) }
    }

    /// Waiting jobs that the list has left out behind one with this title.
    private mutating func add(_ folded: FoldedJobs, title: String) {
      // The titles differ in what follows their shared beginning.
      let other = folded.title.map { $0 + "…" } ?? title
      shared = BatchTitle(shared: shared, count > 1, with: other)
      count += folded.count
      waiting += folded.count
    }

    /// Jobs of the batch that have not ended and are not to be listed, and the size that they know of.
    mutating func addUnlisted(_ count: Int, size: Int) {
      unlisted += count
      self.size = max(self.size, size)
    }

    private var live: Int { running + paused + waiting }

    /// Since the first has begun, or all have ended.
    func time(at now: Moment) -> String {
      if live == 0, let over { return "\(QuantityText.clock(now.since(over))) ago" }
      return QuantityText.clock(now.since(begun ?? first.submitted))
    }

    var title: String { shared.text }

    /// `12-10011`; where jobs between them are not listed, too.
    var numbers: String { "\(first.number)-\(last)" }

    var stem: String { String(first.identifier.dropLastLabel) }

    /// `2 running, 98 waiting`.
    var states: String {
      [
        (running, "running"), (paused, "paused"), (waiting, "waiting"), (failed, "failed"),
        (cancelled, "cancelled"), (succeeded, "succeeded"),
      ].filter { $0.0 > 0 }.map { "\(QuantityText.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    }

    /// How many of all have ended, listed or not.
    var progress: String {
      let ended = size - live - unlisted
      guard ended > 0, ended < size else { return "" }
      var job = first
      job.progress = JobProgress(completed: UInt64(ended), total: UInt64(size))
      return Row.progress(job)
    }
  }
}

extension String {
  fileprivate var dropLastLabel: Substring { self[..<(lastIndex(of: ".") ?? endIndex)] }
}
