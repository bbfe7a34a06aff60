import Foundation
import JobCore
import JobStore
import TestKit
import Testing

@Suite struct StoreFileTests {
  /// Tries to open the file at `path` and gives what was thrown.
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
      try Fixtures.copy("version1.db", to: path)
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
      try Fixtures.copy("version1.db", to: path)
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

  @Test func `the database of version 9, without priorities, loads`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      try Fixtures.copy("version9.db", to: path)
      let store = try Store(path: path)
      var scheduled = StoredJobs.scheduled(2)
      scheduled.submission.options.priority = .normal
      (scheduled.submission.isHeld, scheduled.submission.seat) = (false, nil)
      let rows = try store.jobs(endedToo: true, limit: 100)
      #expect(rows == [StoredJobs.plain(1), scheduled, StoredJobs.ended(3, at: 1000)])
      #expect(try store.endCommands().map(\.command) == ["true"])
      #expect(
        try store.specification(JobNumber(1))?.bytes == Array("/home\u{0}1\u{0}true\u{0}".utf8))
      scheduled.submission.options.priority = .high
      try store.update(scheduled, isEdited: true)
      #expect(try store.job(JobNumber(2)) == scheduled)
    }
  }

  @Test func `the database of the first released version loads`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      try Fixtures.copy("version1.db", to: path)
      let store = try Store(path: path)
      let rows = try store.jobs(endedToo: true, limit: 100)
      var full = StoredJobs.full(1)
      full.stallTimeout = nil  // it came with version 4
      // These came with version 10.
      (full.pausedSince, full.keepsSlot, full.isToResume) = (nil, false, false)
      (full.paused, full.pauseMark) = (.zero, 0)
      // And these with version 14.
      (full.pausedMilliseconds, full.pausedFor) = (nil, .zero)
      (full.quietUntil, full.quietExtension) = (Instant(nanoseconds: 0), .zero)
      // And these with version 17.
      (full.bytesRead, full.bytesWritten) = (nil, nil)
      // And these with version 19.
      (full.processorMillijoules, full.gpuMillijoules) = (nil, nil)
      #expect(rows == [full, StoredJobs.plain(2), StoredJobs.ended(3, at: 1000)])
      #expect(
        try store.specification(JobNumber(2))?.bytes == Array("/home\u{0}1\u{0}true\u{0}".utf8))
      let events = try store.events(since: 0, limit: 100)
      #expect(events.map(\.sequence) == [1, 2])
      #expect(events.map(\.kind) == ["submitted", "ended"])
      #expect(events.map(\.job) == [Array(#"{"number":1}"#.utf8), Array(#"{"number":1}"#.utf8)])
      #expect(try store.bootID() == "8c18f1a2-0000-4000-8000-000000000000")
      #expect(try store.nextNumber() == JobNumber(8))
    }
  }
}
