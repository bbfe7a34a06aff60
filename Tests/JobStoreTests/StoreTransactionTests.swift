import Foundation
import JobCore
import JobStore
import JobWire
import TestKit
import Testing

@Suite struct StoreTransactionTests {
  @Test func `a transaction that fails leaves nothing`() throws {
    try withStore { store in
      try store.insert(StoredJobs.plain(1), specification: [])
      #expect(throws: StoreError.self) {
        try store.transaction(.full) { () throws(StoreError) in
          try store.insert(StoredJobs.plain(2), specification: [1])
          _ = try store.append(eventAt: 1, number: JobNumber(2), kind: "submitted", job: [])
          try store.insert(StoredJobs.plain(1), specification: [])
        }
      }
      #expect(try store.liveJobs() == [StoredJobs.plain(1)])
      #expect(try store.lastSequence() == 0)
      #expect(try store.specification(JobNumber(2))?.bytes == nil)
    }
  }

  @Test func `a turn of changes is undone together`() throws {
    try withStore { store in
      try store.begin(.normal)
      try store.insert(StoredJobs.plain(1), specification: [])
      store.rollback()
      store.rollback()
      try store.begin(.full)
      try store.insert(StoredJobs.plain(2), specification: [])
      try store.commit()
      #expect(try store.liveJobs().map(\.number.value) == [2])
    }
  }

  @Test func `a transaction inside another is refused and the outer goes on`() throws {
    try withStore { store in
      try store.begin(.full)
      #expect(throws: StoreError.self) { try store.begin(.normal) }
      try store.insert(StoredJobs.plain(1), specification: [])
      try store.commit()
      #expect(try store.liveJobs().count == 1)
    }
  }

  @Test func `a full disk is told as such, undoes the turn and loses nothing`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      let store = try Store(path: path, bytesLimit: 512 * 1024)
      try store.transaction(.full) { () throws(StoreError) in
        try store.insert(StoredJobs.plain(1), specification: [1, 2, 3])
      }
      #expect {
        try store.transaction(.full) { () throws(StoreError) in
          try store.insert(StoredJobs.plain(2), specification: [7])
          try store.insert(
            StoredJobs.plain(3), specification: [UInt8](repeating: 1, count: 1 << 20))
        }
      } throws: {
        if case .full? = $0 as? StoreError { true } else { false }
      }
      try store.transaction(.full) { () throws(StoreError) in
        try store.insert(StoredJobs.plain(4), specification: [])
      }
      #expect(try store.liveJobs().map(\.number.value) == [1, 4])
      #expect(try StoredJobs.copy(of: path).liveJobs().map(\.number.value) == [1, 4])
    }
  }

  @Test func `nobody else can open a store that is open`() throws {
    try withSandbox { sandbox in
      let store = try Store(path: sandbox.path("jobrun.db"))
      try store.transaction(.full) { () throws(StoreError) in
        try store.insert(StoredJobs.plain(1), specification: [])
      }
      let other = try sandbox.run("sqlite3", [sandbox.path("jobrun.db"), "DELETE FROM jobs"])
      #expect(other.status != 0 && other.errors.contains("locked"), "\(other)")
      #expect(try store.liveJobs().count == 1)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: sandbox.work).sorted() == [
          "jobrun.db", "jobrun.db-wal",
        ])
    }
  }

  @Test func `what was committed is in the files while the store is open`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      let writer = try Store(path: path)
      for durability in [Store.Durability.full, .normal, .full] {
        try writer.transaction(durability) { () throws(StoreError) in
          let next = try writer.nextNumber()
          try writer.insert(StoredJobs.plain(next.value), specification: [])
        }
      }
      #expect(try StoredJobs.copy(of: path).liveJobs().map(\.number.value) == [1, 2, 3])
    }
  }
}
