import JobCore
import JobStore
import JobWire

/// The waiting jobs of a damaged store, as far as they can be read one by one: they are stored nowhere else.
struct WaitingJobs {
  /// The maximum of job numbers to try, the largest ones: each takes some microseconds.
  private static let looksAtMost: UInt64 = 100_000

  private var jobs: [(row: JobRecord, specification: StoredSpecification)] = []
  private var batches: [StoredBatch] = []

  /// `last`: no job has a larger number.
  init(inDamaged path: String, upTo last: UInt64) {
    guard last > 0 else { return }
    if let store = try? Store(path: path) {
      read(store, upTo: last)
      store.close()
    }
    guard jobs.isEmpty else { return }
    RescuedStore.read(path) { read($0, upTo: last) }
  }

  private mutating func read(_ store: Store, upTo last: UInt64) {
    batches = (try? store.batches()) ?? []
    let first = last - min(last - 1, Self.looksAtMost - 1)
    for number in first...last {
      guard let row = (try? store.job(JobNumber(number))) ?? nil, row.isQueued,
        row.host == nil, let specification = (try? store.specification(row.number)) ?? nil,
        specification.batch.map({ first in batches.contains { $0.first == first } }) ?? true
      else { continue }
      jobs.append((row, specification))
    }
    let shared = Set(jobs.compactMap(\.specification.batch))
    batches.removeAll { !shared.contains($0.first) }
  }

  /// The result, in a sentence.
  var sentence: String {
    switch jobs.count {
    case 0: "none of the jobs that waited could be read"
    case 1: "of the jobs that waited, 1 could be read and waits again"
    default: "of the jobs that waited, \(jobs.count) could be read and wait again"
    }
  }

  func insert(into store: Store) throws(StoreError) {
    guard !jobs.isEmpty else { return }
    try store.transaction(.full) { () throws(StoreError) in
      for batch in batches { try store.insert(batch) }
      for job in jobs {
        try store.insert(
          job.row, specification: job.specification.bytes, batch: job.specification.batch)
      }
    }
  }
}
