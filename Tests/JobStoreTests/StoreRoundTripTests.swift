import JobCore
import JobStore
import JobWire
import TestKit
import Testing

@Suite struct StoreRoundTripTests {
  @Test func `every field of a job comes back after the store was closed`() throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      let rows = [
        StoredJobs.plain(1), StoredJobs.full(2), StoredJobs.full(3), StoredJobs.scheduled(4),
      ].map { row in
        var row = row
        row.submission.key += "\(row.number)"
        return row
      }
      do {
        let store = try Store(path: path)
        try store.transaction(.full) { () throws(StoreError) in
          for row in rows { try store.insert(row, specification: []) }
        }
      }
      #expect(try Store(path: path).jobs(endedToo: true, limit: 10) == rows)
    }
  }

  /// As long as a line of the socket, with each byte encoded longer in the record.
  @Test func `a job of which much is asked comes back`() throws {
    try withStore { store in
      var row = StoredJobs.plain(1)
      row.details.onEnd = String(repeating: "\u{7F}", count: 60_000)
      try store.insert(row, specification: [])
      #expect(try store.job(JobNumber(1)) == row)
    }
  }

  @Test func `that nothing is to start is kept until somebody says otherwise`() throws {
    try withStore { store in
      #expect(try !store.isHeld())
      try store.saveHeld(true)
      #expect(try store.isHeld())
      try store.saveHeld(false)
      #expect(try !store.isHeld())
    }
  }

  @Test func `an update changes the state and keeps the submission`() throws {
    try withStore { store in
      var row = StoredJobs.plain(1)
      try store.insert(row, specification: [])
      row.state = .stopping(
        StopReason(.user, "cancelled from a terminal"), deadline: Instant(nanoseconds: 5))
      row.title = "Renamed"
      try store.update(row)
      #expect(try store.job(JobNumber(1)) == row)
      #expect(try store.job(JobNumber(2)) == nil)
    }
  }

  @Test func `a job in each state comes back with all that belongs to it`() throws {
    try withStore { store in
      for row in StoredJobs.states {
        try store.insert(row, specification: [])
        #expect(try store.job(row.number) == row)
      }
    }
  }

  @Test func `what is asked of a job changes where it was edited`() throws {
    try withStore { store in
      var row = StoredJobs.plain(1)
      try store.insert(row, specification: [])
      let edited = StoredJobs.scheduled(1).submission
      (row.submission.isHeld, row.submission.seat) = (edited.isHeld, edited.seat)
      (row.submission.after, row.submission.options) = (edited.after, edited.options)
      row.submission.options.group = GroupName("render")
      try store.update(row)
      #expect(try store.job(JobNumber(1)) == row)
      let group = try #require(GroupName("render"))
      #expect(try store.jobs(of: group, after: JobNumber(0), limit: 9) == [row])
    }
  }

  @Test(arguments: [
    #"{"attempt":-1}"#, #"{"attempt":1000000001}"#, #"{"failures":-1}"#, #"{"signal":-9}"#,
    #"{"pid":-1}"#, #"{"seat":-9223372036854775808}"#, #"{"state":"asleep"}"#, #"{"gpus":[7]}"#,
    #"{"after":[0]}"#, #"{"identifier":"a b"}"#, #"{"key":null}"#, #"{"options":{"retries":-1}}"#,
    "[]", "{", "",
  ])
  func `a record that nobody ever wrote is damage`(patch: String) throws {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      do {
        let store = try Store(path: path)
        try store.insert(StoredJobs.full(1), specification: [])
      }
      let isObject = patch.hasPrefix("{") && patch.count > 1
      let record = isObject ? "json_patch(record, '\(patch)')" : "'\(patch)'"
      let changed = try sandbox.run("sqlite3", [path, "UPDATE jobs SET record = \(record)"])
      #expect(changed.status == 0, "\(changed.errors)")
      #expect { try Store(path: path).job(JobNumber(1)) } throws: {
        ($0 as? StoreError)?.needsFileMovedAside == true
      }
    }
  }

  @Test func `the same key is stored once`() throws {
    try withStore { store in
      let first = StoredJobs.plain(1)
      try store.insert(first, specification: [])
      var second = StoredJobs.plain(2)
      second.submission.key = first.submission.key
      #expect { try store.insert(second, specification: []) } throws: {
        if case .constraint? = $0 as? StoreError { true } else { false }
      }
      #expect(try store.job(key: first.submission.key) == first)
      #expect(try store.job(key: "nobody") == nil)
    }
  }

  @Test func `the latest job with an identifier is found`() throws {
    try withStore { store in
      for number in [3, 5, 9] as [UInt64] {
        let name = number == 5 ? "io.jobrun.test.other" : "io.jobrun.test.same"
        try store.insert(StoredJobs.plain(number, identifier: name), specification: [])
      }
      let identifier = try #require(JobIdentifier("io.jobrun.test.same"))
      let unknown = try #require(JobIdentifier("io.jobrun.test"))
      #expect(try store.latestJob(identifier)?.number == JobNumber(9))
      #expect(try store.latestNumber(before: 0) == JobNumber(9))
      #expect(try store.latestNumber(before: 100) == nil)
      #expect(try store.latestJob(unknown) == nil)
    }
  }

  @Test func `live jobs and pages of jobs come in ascending order`() throws {
    try withStore { store in
      for number in (1...9).reversed() as ReversedCollection<ClosedRange<UInt64>> {
        let isEnded = number.isMultiple(of: 2)
        try store.insert(
          isEnded ? StoredJobs.ended(number, at: 1) : StoredJobs.plain(number), specification: [])
      }
      #expect(try store.liveJobs().map(\.number.value) == [1, 3, 5, 7, 9])
      let page = try store.jobs(endedToo: true, after: JobNumber(4), limit: 3)
      #expect(page.map(\.number.value) == [5, 6, 7])
      let last = try store.jobs(endedToo: false, after: JobNumber(7), limit: 3)
      #expect(last.map(\.number.value) == [9])
    }
  }

  @Test func `what a job executes is kept byte for byte until it is dropped`() throws {
    try withStore { store in
      let bytes = (0...255).map { UInt8($0) } + [UInt8](repeating: 0, count: 1_000_000)
      try store.insert(StoredJobs.plain(1), specification: bytes)
      try store.insert(StoredJobs.plain(2), specification: [])
      try store.update(StoredJobs.ended(1, at: 5))
      #expect(try store.specification(JobNumber(1))?.bytes == bytes)
      #expect(try store.specification(JobNumber(2))?.bytes == [])
      try store.dropSpecification(JobNumber(1))
      #expect(try store.specification(JobNumber(1))?.bytes == nil)
      #expect(try store.job(JobNumber(1)) != nil)
    }
  }

  @Test func `the boot id is remembered and replaced`() throws {
    try withStore { store in
      #expect(try store.bootID() == nil)
      try store.saveBootID("one")
      try store.saveBootID("two")
      #expect(try store.bootID() == "two")
    }
  }
}

/// A store in a separate folder.
func withStore(_ body: (Store) throws -> Void) throws {
  try withSandbox { sandbox in
    try body(try Store(path: sandbox.path("jobrun.db")))
  }
}
