import JobClient
import JobCore
import JobWire

/// The subject of one row of `jobrun watch`.
enum BoardRow: Hashable, Sendable {
  case job(JobNumber)
  /// All jobs of one submission.
  case batch(BatchKey)
}

/// The rows of each kind, in the order in which they are shown.
struct BoardRows: Hashable {
  var active: [BoardRow] = []
  var queued: [BoardRow] = []
  var ended: [BoardRow] = []

  var all: [BoardRow] { active + queued + ended }
}

/// In which order running jobs stand.
enum BoardSorting: CaseIterable, Hashable {
  case number, timeLeft, elapsed, title

  var next: BoardSorting {
    switch self {
    case .number: .timeLeft
    case .timeLeft: .elapsed
    case .elapsed: .title
    case .title: .number
    }
  }

  var words: String {
    switch self {
    case .number: "number"
    case .timeLeft: "time left"
    case .elapsed: "time elapsed"
    case .title: "title"
    }
  }
}

/// The known states of the jobs of one submission.
struct BoardBatch: Hashable {
  var running: [JobNumber] = []
  /// First to start first.
  var waiting: [JobNumber] = []
  /// The latest end first.
  var ended: [JobNumber] = []
  var failed: [JobNumber] = []
  var cancelled = 0
  /// Includes ended jobs that are no longer in memory.
  var total = 0

  var live: [JobNumber] { running + waiting }
  var endedCount: Int { total - running.count - waiting.count }
  var knownCount: Int { running.count + waiting.count + ended.count }

  /// In the order of importance.
  var all: [JobNumber] {
    let isFailed = Set(failed)
    return failed + running + waiting + ended.filter { !isFailed.contains($0) }
  }
}

extension JobBoard {
  /// All batches with more than one known job.
  var batches: [BatchKey: BoardBatch] {
    var batches: [BatchKey: BoardBatch] = [:]
    func add(_ number: JobNumber, _ change: (inout BoardBatch) -> Void) {
      guard let key = keys[number] else { return }
      var batch = batches[key] ?? BoardBatch()
      batches[key] = nil
      change(&batch)
      batch.total = max(
        batch.total, self.job(number)?.terms.batchSize ?? 0, key.place(of: number))
      batches[key] = batch
    }
    guard !keys.isEmpty else { return batches }
    for number in started.sorted() { add(number) { $0.running.append(number) } }
    for number in waitingNumbers { add(number) { $0.waiting.append(number) } }
    for job in ended {
      add(job.number) {
        $0.ended.append(job.number)
        if job.outcome == .cancelled { $0.cancelled += 1 }
        if job.hasFailed { $0.failed.append(job.number) }
      }
    }
    return batches.filter { $0.value.knownCount > 1 }
  }

  /// With a filter each matching job is a separate row.
  var rows: BoardRows {
    let batches = filter.isEmpty ? batches : [:]
    var placed: Set<BatchKey> = []
    func folded(_ numbers: [JobNumber]) -> [BoardRow] {
      var rows: [BoardRow] = []
      for number in numbers {
        guard let key = keys[number], let batch = batches[key] else {
          rows.append(.job(number))
          continue
        }
        guard placed.insert(key).inserted else { continue }
        rows.append(.batch(key))
        // A question is always seen.
        let shown =
          opened.contains(key) ? batch.all : batch.running.filter { live[$0]?.prompt != nil }
        rows += shown.map { .job($0) }
      }
      return rows
    }
    return BoardRows(
      active: folded(sorted(active)), queued: folded(queued), ended: folded(past.map { $0.number }))
  }

  private func sorted(_ numbers: [JobNumber]) -> [JobNumber] {
    switch sorting {
    case .number: return numbers
    case .title:
      return numbers.sorted { (live[$0]?.title ?? "", $0) < (live[$1]?.title ?? "", $1) }
    case .timeLeft:
      let never = Interval.seconds(UInt64(UInt32.max))
      return numbers.sorted { (timesLeft[$0] ?? never, $0) < (timesLeft[$1] ?? never, $1) }
    case .elapsed:
      return numbers.sorted {
        (live[$0]?.started ?? WallTime(milliseconds: .max), $0)
          < (live[$1]?.started ?? WallTime(milliseconds: .max), $1)
      }
    }
  }

  /// The selected row.
  var selectedRow: BoardRow? {
    let all = rows.all
    if let chosen {
      if all.contains(chosen) { return chosen }
      // It is in a batch that was closed.
      if case .job(let number) = chosen, let key = keys[number], all.contains(.batch(key)) {
        return .batch(key)
      }
    }
    // A question first, otherwise the top row.
    return all.first { row in
      if case .job(let number) = row { live[number]?.prompt != nil } else { false }
    } ?? all.first
  }

  /// The selected job; nil for a batch, or without a row.
  var selected: JobNumber? {
    if case .job(let number) = selectedRow { number } else { nil }
  }

  /// The job whose reason a row shows.
  func firstJob(of row: BoardRow) -> JobNumber? {
    switch row {
    case .job(let number): number
    case .batch(let key): batches[key]?.waiting.first
    }
  }

  /// The jobs for `c`, `p` and similar keys: the marked ones, otherwise the selected one or a whole batch.
  var meant: [JobNumber] {
    if !marked.isEmpty { return marked.sorted() }
    switch selectedRow {
    case .job(let number): return [number]
    case .batch(let key): return batches[key]?.live ?? []
    case nil: return []
    }
  }

  /// Whether it has failed since the last `jobrun watch`.
  func isNew(_ job: JobStatus) -> Bool {
    guard let lookedAt, job.hasFailed, let ended = job.ended else { return false }
    return ended > lookedAt && !seen.contains(job.number)
  }
}

extension JobStatus {
  /// Whether it ended without success, and not by a person's request.
  var hasFailed: Bool {
    switch outcome {
    case .failed, .expired, .refused: true
    case .succeeded, .cancelled, .interrupted, nil: false
    }
  }
}
