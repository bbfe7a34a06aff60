import LinuxSystem
import TestKit
import Testing

@testable import jobrun

/// The last lines of a log, read from its end.
struct LogReaderTests {
  private func last(_ count: UInt64, of text: String) throws -> String {
    try withSandbox { sandbox in
      var tail = try LogReader(path: try sandbox.write(text, to: "log"), lines: count)
      var bytes: [UInt8] = []
      while true {
        let next = try tail.next()
        guard !next.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        bytes += next
      }
    }
  }

  @Test(
    arguments: [
      ("a\nb\nc\n", 2, "b\nc\n"), ("a\nb\nc", 2, "b\nc"), ("a\nb\nc\n", 3, "a\nb\nc\n"),
      ("a\nb\nc\n", 99, "a\nb\nc\n"), ("a\nb\n", 0, ""), ("", 5, ""), ("\n\n\n", 2, "\n\n"),
      ("x", 1, "x"), ("\n", 1, "\n"), ("a\r\nb\r\n", 1, "b\r\n"), ("a\n\u{0}b\n", 1, "\u{0}b\n"),
    ] as [(String, UInt64, String)])
  func `the last lines are`(text: String, count: UInt64, lines: String) throws {
    #expect(try last(count, of: text) == lines)
  }

  @Test func `lines longer than what is read at once are found, too`() throws {
    let long = String(repeating: "x", count: 200_000)
    let text = "first\n\(long)\n\(long)\nlast\n"
    #expect(try last(1, of: text) == "last\n")
    #expect(try last(3, of: text) == "\(long)\n\(long)\nlast\n")
    // A newline on either side of where two portions meet.
    for length in [65_534, 65_535, 65_536, 65_537] {
      let edge = String(repeating: "y", count: length)
      #expect(try last(1, of: "a\n\(edge)") == edge)
      #expect(try last(2, of: "a\n\(edge)\nb\n") == "\(edge)\nb\n")
    }
  }

  @Test func `what comes before is counted, so that the lines keep their numbers`() throws {
    try withSandbox { sandbox in
      let path = try sandbox.write((1...70_000).map { "\($0)\n" }.joined(), to: "log")
      #expect(try LogReader(path: path, lines: 10).linesBefore() == 69_990)
      #expect(try LogReader(path: path).linesBefore() == 0)
      #expect(try LogReader(path: sandbox.path("none"), lines: 3).linesBefore() == 0)
    }
  }

  @Test func `a log that is removed is read to its end, and then the next one of its name`() throws
  {
    try withSandbox { sandbox in
      let path = try sandbox.write(String(repeating: "x", count: 100_000), to: "log")
      var tail = LogReader(path: path)
      #expect(try tail.next().count == 65_536)
      try File.remove(path)
      #expect(try tail.next().count == 34_464)
      #expect(try tail.next().isEmpty)
      try sandbox.write("next\n", to: "log")
      #expect(try tail.next() == Array("next\n".utf8))
      tail.release()
      try File.remove(path)
      #expect(try tail.next().isEmpty)
    }
  }

  @Test func `the end of a log of terabytes is found at once`() throws {
    try withSandbox { sandbox in
      let path = try sandbox.write("", to: "log")
      let file = try File.open(path, [.write])
      // Holes take no room on the disk; reading them from the start would take hours.
      try file.write(Array("\nlast but one\nlast\n".utf8), at: 1 << 40)
      var tail = try LogReader(path: path, lines: 2)
      #expect(try tail.next() == Array("last but one\nlast\n".utf8))
    }
  }
}
