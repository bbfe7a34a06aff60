import JobCore
import JobStore
import JobWire
import TestKit
import Testing

@Suite struct StoreEventTests {
  @Test func `events are numbered without gap and read from any point`() throws {
    try withStore { store in
      #expect(try store.lastSequence() == 0)
      #expect(try store.firstSequence() == 1)
      for number in 1...5 as ClosedRange<UInt64> {
        let sequence = try store.append(
          eventAt: 1_000 + Int64(number), number: JobNumber(number), kind: "queued",
          job: Array(#"{"number":\#(number),"title":"Ä"}"#.utf8))
        #expect(sequence == number)
      }
      let read = try store.events(since: 2, limit: 2)
      #expect(read.map(\.sequence) == [3, 4])
      #expect(read[0].job == Array(#"{"number":3,"title":"Ä"}"#.utf8))
      #expect(read[0].atMilliseconds == 1003)
      #expect(read[0].number == JobNumber(3))
      #expect(read[0].kind == "queued")
      #expect(try store.events(since: .max, limit: 10).isEmpty)
    }
  }

  @Test func `an undone event gives its number back`() throws {
    try withStore { store in
      try store.begin(.full)
      _ = try store.append(eventAt: 1, number: JobNumber(1), kind: "submitted", job: [])
      store.rollback()
      #expect(try store.append(eventAt: 1, number: JobNumber(1), kind: "submitted", job: []) == 1)
    }
  }

  @Test func `sequence numbers go on after all events were removed and the store reopened`() throws
  {
    try withSandbox { sandbox in
      let path = sandbox.path("jobrun.db")
      do {
        let store = try Store(path: path)
        for _ in 0..<4 {
          _ = try store.append(eventAt: 1, number: JobNumber(1), kind: "queued", job: [])
        }
        try store.pruneEvents(keeping: 2, limit: 1)
        #expect(try store.firstSequence() == 2)
        try store.pruneEvents(keeping: 2, limit: 100)
        #expect(try store.firstSequence() == 3)
        try store.pruneEvents(keeping: 0, limit: 100)
        #expect(try store.firstSequence() == 5)
      }
      let store = try Store(path: path)
      #expect(try store.lastSequence() == 4)
      #expect(try store.append(eventAt: 1, number: JobNumber(1), kind: "queued", job: []) == 5)
    }
  }
}
