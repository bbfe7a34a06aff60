import JobCore
import JobStore
import JobWire
import TestKit
import Testing

/// The shared part of a batch is stored once.
@Suite struct BatchRowTests {
  private static let shared = [UInt8](repeating: 7, count: 100_000)

  /// Jobs 1 to `count` of one submission, and the next as a separate one.
  private func fill(_ store: Store, count: Int) throws {
    try store.transaction(.full) { () throws(StoreError) in
      try store.insert(
        StoredBatch(first: JobNumber(1), count: count, key: "a", specification: Self.shared))
      for number in 1...UInt64(count) {
        try store.insert(
          StoredJobs.plain(number), specification: [UInt8(number)], batch: JobNumber(1))
      }
      try store.insert(StoredJobs.plain(UInt64(count) + 1), specification: [9])
    }
  }

  @Test func `each finds its own inputs and what it shares`() throws {
    try withStore { store in
      try fill(store, count: 2)
      let second = try #require(try store.specification(JobNumber(2)))
      #expect(second.bytes == [2])
      #expect(second.batch == JobNumber(1))
      #expect(second.shared == Self.shared)
      let other = try #require(try store.specification(JobNumber(3)))
      #expect(other == StoredSpecification([9]))
      #expect(try store.batch(key: "a")?.count == 2)
      #expect(try store.batch(key: "b") == nil)
    }
  }

  @Test func `what is shared goes with the last that may want it`() throws {
    try withStore { store in
      try fill(store, count: 2)
      try store.dropSpecification(JobNumber(1))
      #expect(try store.specification(JobNumber(2))?.shared == Self.shared)
      try store.dropSpecification(JobNumber(2))
      #expect(try store.batch(key: "a")?.specification == [])
      #expect(try store.specification(JobNumber(3))?.bytes == [9])
    }
  }

  /// Jobs 2 to 5 of 6: they failed with their numbers, but for 4, which was cancelled.
  @Test func `how those ended that are not kept is known as long as one of them is`() throws {
    try withStore { store in
      try store.insert(StoredJobs.plain(1), specification: nil)
      try store.insert(
        StoredBatch(first: JobNumber(2), count: 4, key: "a", specification: Self.shared))
      for number in [2, 3, 4, 5, 6] as [UInt64] {
        try store.insert(StoredJobs.plain(number), specification: [])
      }
      for number in 1...6 as ClosedRange<UInt64> {
        var row = StoredJobs.ended(number, at: 1)
        row.state = .ended(number == 4 ? .cancelled : .failed, nil)
        row.exitCode = number == 4 ? nil : Int32(number)
        try store.update(row)
      }
      let range = JobRange(first: JobNumber(2), count: 4)
      for number in [5, 1, 4, 3, 6] as [UInt64] { #expect(try store.remove(JobNumber(number))) }
      func told(_ range: JobRange) throws -> Set<String> {
        Set(
          try store.outcomes(in: range).map {
            "\($0.count) \($0.outcome) from \($0.first): \($0.exitCode ?? -1)"
          })
      }
      #expect(
        try told(range) == ["1 failed from 2: 2", "2 failed from 3: 3", "1 cancelled from 4: -1"])
      #expect(try told(JobRange(first: JobNumber(2), count: 3)) == ["1 failed from 2: 2"])
      #expect(try store.remove(JobNumber(2)))
      #expect(try told(range).isEmpty)
    }
  }

  @Test func `the key is known until none of the jobs is kept`() throws {
    try withStore { store in
      try fill(store, count: 2)
      for number in 1...2 as ClosedRange<UInt64> {
        #expect(try store.batch(key: "a") != nil)
        try store.update(StoredJobs.ended(number, at: 1))
        #expect(try store.remove(JobNumber(number)))
      }
      #expect(try store.batch(key: "a") == nil)
      #expect(try store.batches().isEmpty)
    }
  }
}
