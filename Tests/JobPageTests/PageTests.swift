import JobPage
import LinuxSystem
import Testing

struct PageTests {
  @Test func `a fresh page says nothing but its header`() throws {
    let scratch = try Scratch()
    var reader = try PageReader(path: try scratch.page(number: 0x0102_0304, attempt: 3))
    #expect(reader.snapshot() == PageSnapshot())
    let bytes = try File.readAll(scratch.file("page"))
    #expect(bytes.count == 4096)
    #expect(bytes[0..<16] == ArraySlice("JOBRUNP1".utf8) + [1, 0, 0, 0, 0, 0x10, 0, 0])
    #expect(bytes[16..<32] == [4, 3, 2, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
    #expect(try File.status(scratch.file("page"))?.mode == 0o600)
  }

  @Test func `a worker finds the submitter's words, cut to the room there is`() throws {
    let scratch = try Scratch()
    let long = String(repeating: "é", count: 200)
    try PageFile.create(
      scratch.file("page"), number: 1, attempt: 1, title: "Trip 2026", subtitle: long)
    var reader = try PageReader(path: scratch.file("page"))
    let snapshot = reader.snapshot()
    #expect(snapshot.title == "Trip 2026")
    #expect(snapshot.subtitle == String(repeating: "é", count: 126), "253 bytes hold 126 of them")
    #expect(snapshot.textSequence == 0, "the worker has reported nothing")
  }

  @Test func `what the worker writes is what a reader sees`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = try PageWriter(path: path)
    var reader = try PageReader(path: path)
    writer.setTotal(100)
    writer.setCompleted(40)
    writer.advance(by: 5)
    writer.advance(by: -3)
    writer.setUnit(.bytes)
    writer.report()
    writer.setQuiet(until: 77)
    writer.setText(title: "Trip", subtitle: "Café")
    writer.declare(.deferred, message: "later", deferSeconds: 30)
    let snapshot = reader.snapshot()
    #expect(snapshot.condition == .intact)
    #expect((snapshot.completed, snapshot.total) == (42, 100))
    #expect(snapshot.unit == .bytes)
    #expect(snapshot.reports == 2)
    #expect(snapshot.quietUntil == 77)
    #expect((snapshot.title, snapshot.subtitle) == ("Trip", "Café"))
    #expect(snapshot.textSequence == 2)
    #expect(snapshot.outcome == .deferred)
    #expect((snapshot.deferSeconds, snapshot.message) == (30, "later"))
  }

  @Test func `one text may change without the other`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = try PageWriter(path: path)
    var reader = try PageReader(path: path)
    writer.setText(title: "Long title", subtitle: "first")
    writer.setText(subtitle: "2")
    let snapshot = reader.snapshot()
    #expect((snapshot.title, snapshot.subtitle) == ("Long title", "2"))
  }

  @Test func `a text that is too long is cut between characters`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = try PageWriter(path: path)
    var reader = try PageReader(path: path)
    writer.setText(title: String(repeating: "a", count: 252) + "é and more")
    #expect(reader.snapshot().title == String(repeating: "a", count: 252))
  }

  @Test func `four threads lose not one advance`() async throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = Shared(try PageWriter(path: path))
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<100_000 { writer.page.advance(by: 1) }
        }
      }
    }
    var reader = try PageReader(path: path)
    #expect(reader.snapshot().completed == 400_000)
  }

  @Test func `a reader never sees a text that nobody wrote`() async throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    await withTaskGroup { group in
      for letter in ["a", "b"] {
        // Two openings: as two processes would, they meet only at the file's lock.
        group.addTask {
          guard let writer = try? PageWriter(path: path) else { return }
          for round in 1...300 {
            let text = String(repeating: letter, count: round % 250 + 1)
            writer.setText(title: text, subtitle: text)
          }
        }
      }
      group.addTask {
        guard var reader = try? PageReader(path: path) else { return }
        for _ in 0..<2000 {
          let snapshot = reader.snapshot()
          #expect(snapshot.title == snapshot.subtitle)
          #expect(Set(snapshot.title).count <= 1)
        }
      }
    }
  }

  @Test func `a writer refuses a file that is no page`() throws {
    let scratch = try Scratch()
    let path = scratch.file("other")
    for content in [[], Array("JOBRUNP1".utf8), [UInt8](repeating: 0, count: 4096)] {
      try File.writeAtomically(content, to: path)
      #expect(throws: JobPageError.notPage(path: path)) { _ = try PageWriter(path: path) }
    }
  }
}

struct PageStopTests {
  @Test func `a stop wakes the worker that sleeps on it`() async throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = Shared(try PageWriter(path: path))
    #expect(writer.page.stop == nil)
    async let heard = writer.page.waitForStop(until: generousDeadline())
    try PageControl(path: path).stop(reason: 3, deadline: 99)
    #expect(await heard == PageStop(reason: 3, deadline: 99))
    #expect(writer.page.stop == PageStop(reason: 3, deadline: 99))
  }

  @Test func `a second stop moves the deadline`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = try PageWriter(path: path)
    let control = try PageControl(path: path)
    try control.stop(reason: 1, deadline: 50)
    try control.stop(reason: 1, deadline: 20)
    #expect(writer.stop == PageStop(reason: 1, deadline: 20))
  }

  @Test func `without a stop the wait ends at its deadline`() throws {
    let scratch = try Scratch()
    let writer = try PageWriter(path: try scratch.page())
    let deadline = AwakeClock.now() + 2_000_000
    #expect(writer.waitForStop(until: deadline) == nil)
    #expect(AwakeClock.now() >= deadline)
  }

  @Test func `stopping a job that cut its page short harms nobody`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let control = try PageControl(path: path)
    try File.open(path, [.write]).resize(to: 0)
    try control.stop(reason: 1, deadline: 1)
    try File.open(path, [.write, .truncate]).resize(to: 0)
    var reader = try PageReader(path: path)
    #expect(reader.snapshot().condition == .truncated)
  }
}

/// A page that several tasks may hold.
final class Shared: Sendable {
  let page: PageWriter

  init(_ page: consuming PageWriter) {
    self.page = page
  }
}
