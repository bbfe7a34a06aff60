import JobCore
import JobStore
import JobWire
import TestKit
import Testing

@Suite struct StoreHistoryTests {
  /// Jobs 1…10; even ones ended, at 1000 times their number.
  private func fill(_ store: Store) throws {
    for number in 1...10 as ClosedRange<UInt64> {
      let isEnded = number.isMultiple(of: 2)
      try store.insert(
        isEnded ? StoredJobs.ended(number, at: Int64(number) * 1000) : StoredJobs.plain(number),
        specification: [1])
    }
  }

  @Test func `the newest ended jobs are kept and live ones always`() throws {
    try withStore { store in
      try fill(store)
      let removed = try store.prune(keeping: 2, limit: 100)
      #expect(removed.map(\.value) == [2, 4, 6])
      let kept = try store.jobs(endedToo: true, limit: 100).map(\.number.value)
      #expect(kept == [1, 3, 5, 7, 8, 9, 10])
      #expect(try store.specification(JobNumber(2))?.bytes == nil)
      #expect(try store.specification(JobNumber(8))?.bytes == [1])
    }
  }

  @Test func `what ended long ago is removed, at most so many at once`() throws {
    try withStore { store in
      try fill(store)
      #expect(try store.prune(endedBefore: 8000, limit: 2).map(\.value) == [2, 4])
      #expect(try store.prune(endedBefore: 8000, limit: 2).map(\.value) == [6])
      #expect(try store.prune(endedBefore: 8000, limit: 2).isEmpty)
      #expect(try store.endedCount() == 2)
    }
  }

  @Test func `what ended while the clock was wrong is not older than the jobs before it`() throws {
    try withStore { store in
      for number in 1...4 as ClosedRange<UInt64> {
        // The third ended on a machine that took itself to be in 1970.
        let end: Int64 = number == 3 ? 1 : 1_000_000 + Int64(number)
        try store.insert(StoredJobs.ended(number, at: end), specification: nil)
      }
      #expect(try store.prune(endedBefore: 1_000_000, limit: 100).isEmpty)
      #expect(try store.prune(endedBefore: 1_000_002, limit: 100) == [JobNumber(1)])
      #expect(try store.prune(endedBefore: .max, limit: 100).count == 3)
    }
  }

  @Test func `keeping nothing never touches a live job`() throws {
    try withStore { store in
      try fill(store)
      _ = try store.prune(keeping: 0, limit: 1000)
      #expect(try store.jobs(endedToo: true, limit: 100).map(\.number.value) == [1, 3, 5, 7, 9])
      #expect(try store.remove(JobNumber(1)) == false)
      #expect(try store.liveJobs().count == 5)
    }
  }

  @Test func `a number is never given twice, though SQLite's own count was lost`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      do {
        let store = try Store(path: path)
        try store.insert(StoredJobs.plain(41), specification: [])
        _ = try store.append(eventAt: 1, number: JobNumber(41), kind: "queued", job: [])
      }
      try sandbox.run("sqlite3", [path, "DELETE FROM sqlite_sequence"])
      let store = try Store(path: path)
      #expect(try store.nextNumber() == JobNumber(42))
      #expect(try store.lastSequence() == 1)
    }
  }

  @Test func `a number is never given twice, not even after a removal and a restart`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      do {
        let store = try Store(path: path)
        #expect(try store.nextNumber() == JobNumber(1))
        try store.insert(StoredJobs.ended(41, at: 1), specification: [])
        #expect(try store.remove(JobNumber(41)))
        #expect(try store.remove(JobNumber(41)) == false)
      }
      #expect(try Store(path: path).nextNumber() == JobNumber(42))
    }
  }
}
