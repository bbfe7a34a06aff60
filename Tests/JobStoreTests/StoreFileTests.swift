import Foundation
import JobCore
import JobStore
import JobWire
import TestKit
import Testing

@Suite struct StoreFileTests {
  /// Tries to open the file at `path` and returns the error.
  private func failure(opening path: String) -> StoreError? {
    do throws(StoreError) {
      _ = try Store(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "not a database at all, but a text that is longer than the header of one would be",
    String(repeating: "\u{0}", count: 8192),
    "SQLite format 3\u{0}" + String(repeating: "x", count: 9000),
  ])
  func `a file that is no database is to be moved aside, and a new store opens`(content: String)
    throws
  {
    try withSandbox { sandbox in
      let path = try sandbox.write(content, to: "jobrun.db")
      let error = try #require(failure(opening: path))
      #expect(error.needsFileMovedAside && !error.isTransient)
      let broken = Store.brokenName(of: path, timestamp: "20260301T120000Z")
      try FileManager.default.moveItem(atPath: path, toPath: broken)
      #expect(try Store(path: path).nextNumber() == JobNumber(1))
      #expect(FileManager.default.contents(atPath: broken) == content.data(using: .utf8))
    }
  }

  @Test func `a folder that is not there now may be there again`() throws {
    try withSandbox { sandbox in
      let error = try #require(failure(opening: sandbox.path("absent/jobrun.db")))
      #expect(error.isTransient && !error.needsFileMovedAside)
    }
  }

  @Test(arguments: [true, false])
  func `a store that was closed is not made again, empty`(isEmpty: Bool) throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      let store = try Store(path: path)
      store.close()
      #expect(throws: StoreError.self) { try store.nextNumber() }
      try FileManager.default.removeItem(atPath: path)
      if isEmpty { try Data().write(to: URL(fileURLWithPath: path)) }
      #expect(throws: StoreError.self) { try store.reopen() }
      #expect(throws: StoreError.self) { try store.begin(.full) }
      let size = FileManager.default.contents(atPath: path)?.count
      #expect(size == (isEmpty ? 0 : nil))
    }
  }

  @Test func `the database of another program is left exactly as it is`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      try Fixtures.copy("foreign.db", to: path)
      let before = FileManager.default.contents(atPath: path)
      guard case .foreign? = failure(opening: path) else {
        Issue.record("a foreign database was opened")
        return
      }
      #expect(FileManager.default.contents(atPath: path) == before)
    }
  }

  @Test func `a database of a later version is refused and not moved aside`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      _ = try Store(path: path)
      // Byte 63 of the header is the lowest of PRAGMA user_version.
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.seek(toOffset: 63)
      try file.write(contentsOf: [99] as [UInt8])
      try file.close()
      let error = try #require(failure(opening: path))
      guard case .newer(schema: 99, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!error.needsFileMovedAside)
    }
  }

  @Test func `a damaged page is told as corruption`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      do {
        let store = try Store(path: path)
        for number in 1...9 as ClosedRange<UInt64> {
          try store.insert(StoredJobs.plain(number), specification: [])
        }
      }
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.seek(toOffset: 4096)
      try file.write(contentsOf: [UInt8](repeating: 0xA5, count: size - 4096))
      try file.close()
      do throws(StoreError) {
        _ = try Store(path: path).jobs(endedToo: true, limit: 100)
        Issue.record("damaged pages were read as jobs")
      } catch {
        #expect(error.needsFileMovedAside, "\(error)")
      }
    }
  }

  @Test func `a folder that does not exist is told with the path`() {
    let error = failure(opening: "/nowhere/at/all/jobrun.db")
    guard case .inputOutput(let failure)? = error else {
      Issue.record("a store opened in no folder: \(String(describing: error))")
      return
    }
    #expect(failure.operation == "opening /nowhere/at/all/jobrun.db")
  }
}
