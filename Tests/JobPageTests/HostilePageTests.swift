import JobPage
import LinuxSystem
import TestKit
import Testing

struct HostilePageTests {
  @Test func `no content of the file harms a reader, and texts stay clean`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let header = try File.readAll(path).prefix(64)
    let file = try File.open(path, [.read, .write])
    var reader = try PageReader(path: path)
    var random = SeededGenerator(seed: 20_240_601)
    for round in 0..<1000 {
      let count = round % 3 == 0 ? Int.random(in: 0...5000, using: &random) : 4096
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let keepsHeader = round % 2 == 0 && count >= 64
      if keepsHeader { bytes.replaceSubrange(0..<64, with: header) }
      // Small lengths, or nearly every text would be refused for its length alone.
      for offset in [137, 393, 1097] where offset < count && round % 4 == 0 { bytes[offset] = 0 }
      try file.resize(to: 0)
      try file.write(bytes, at: 0)
      let snapshot = reader.snapshot()
      if !keepsHeader || count < 4096 { #expect(snapshot.condition != .intact, "round \(round)") }
      expectClean(snapshot, "round \(round)")
    }
  }

  private func expectClean(_ snapshot: PageSnapshot, _ comment: Comment) {
    #expect(snapshot.completed <= UInt64(Int64.max), comment)
    #expect(snapshot.total <= UInt64(Int64.max), comment)
    for text in [snapshot.title, snapshot.subtitle, snapshot.message] {
      #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, comment)
    }
  }

  @Test func `a garbage page shows no progress and keeps the last good texts`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = try PageWriter(path: path)
    writer.setTotal(10)
    writer.setCompleted(4)
    writer.setText(title: "Trip")
    var reader = try PageReader(path: path)
    #expect(reader.snapshot().completed == 4)
    try File.open(path, [.write]).write([0], at: 0)
    let snapshot = reader.snapshot()
    #expect(snapshot.condition == .garbage)
    #expect((snapshot.completed, snapshot.total) == (0, 0))
    #expect(snapshot.title == "Trip")
  }

  @Test(arguments: [
    (PageLayout.unit, [9] as [UInt8]), (PageLayout.outcome, [4]), (PageLayout.message, [254, 0]),
  ])
  func `a word that no writer writes makes the page garbage`(_ damage: (Int, [UInt8])) throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    try File.open(path, [.write]).write(damage.1, at: UInt64(damage.0))
    var reader = try PageReader(path: path)
    #expect(reader.snapshot().condition == .garbage)
  }

  @Test func `a text that is being written is not shown until it is whole`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = try PageWriter(path: path)
    var reader = try PageReader(path: path)
    writer.setText(title: "whole")
    #expect(reader.snapshot().title == "whole")
    let file = try File.open(path, [.write])
    try file.write([3], at: UInt64(PageLayout.textSequence))
    try file.write([3, 0] + Array("tor".utf8), at: UInt64(PageLayout.title))
    #expect(reader.snapshot().title == "whole")
    // A living writer follows the one that was killed in between.
    writer.setText(title: "next")
    #expect(reader.snapshot().title == "next")
  }

  @Test func `counts from below zero are nothing done`() throws {
    let scratch = try Scratch()
    let path = try scratch.page()
    let writer = try PageWriter(path: path)
    writer.advance(by: -1)
    writer.setTotal(.max)
    var reader = try PageReader(path: path)
    let snapshot = reader.snapshot()
    #expect((snapshot.completed, snapshot.total) == (0, 0))
  }

  @Test func `a text cannot steer the terminal`() {
    let hostile = "a\u{1B}[2J\u{7}b\r\nc\u{9B}31m\u{202E}d\u{0}e\tf"
    #expect(PlainText.make(hostile.utf8) == "a[2Jb  c31mde f")
  }

  @Test func `bytes that are no text are repaired`() {
    #expect(PlainText.make([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
  }

  @Test func `a page that is a link or is missing is not opened`() throws {
    let scratch = try Scratch()
    #expect(throws: JobPageError.self) { _ = try PageReader(path: scratch.file("none")) }
    let page = try scratch.page()
    let linking = try TestKit.ChildProcess(
      "ln", ["-s", page, scratch.file("link")], environment: [:])
    #expect(try linking.wait().status == 0)
    #expect(throws: JobPageError.self) { _ = try PageReader(path: scratch.file("link")) }
  }
}
