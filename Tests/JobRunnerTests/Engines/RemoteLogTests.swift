import JobPage
import JobRunner
import LinuxSystem
import TestKit
import Testing

/// The log of a remote attempt, as it arrives.
struct RemoteLogTests {
  private let sandbox: Sandbox
  private var path: String { sandbox.path("1.log") }
  private var note: String { sandbox.path("1.1") }

  init() throws { sandbox = try Sandbox() }

  private func begin(_ attempt: Int = 1) throws -> RemoteLog {
    try RemoteLog(beginning: attempt, path: path, note: note, limit: LogLayout.least)
  }

  private func resume() -> RemoteLog {
    RemoteLog(resuming: path, note: note, limit: LogLayout.least)
  }

  private func text() throws -> String {
    String(decoding: try File.readAll(path), as: UTF8.self)
  }

  @Test func `what came twice is there once, and a later runner goes on where this one was`() throws
  {
    var log = try begin()
    log.append(Array("one\ntwo\n".utf8), from: 0)
    log.append(Array("two\nthree\n".utf8), from: 4)
    #expect(log.received == 14)
    log = resume()
    #expect(log.received == 14)
    log.append(Array("four".utf8), from: 14)
    #expect(try text() == "one\ntwo\nthree\nfour")
  }

  @Test func `each attempt begins with a line, and counts from its own beginning`() throws {
    var log = try begin()
    log.append(Array("one".utf8), from: 0)
    log = try begin(2)
    #expect(log.received == 0)
    log.append(Array("two\n".utf8), from: 0)
    #expect(resume().received == 4)
    #expect(try text().hasPrefix("one\njobrun: attempt 2 begins, "))
    #expect(try text().hasSuffix("\ntwo\n"))
  }

  @Test
  func `a gap is marked, unless what comes before it says so, and a later runner knows of it`()
    throws
  {
    var log = try begin()
    log.append(Array("one\n".utf8), from: 0)
    log.append(Array("two\n".utf8), from: 1_000_004)
    #expect(log.received == 1_000_008)
    #expect(resume().received == 1_000_008)
    let mark = String(decoding: LogLayout.mark(missing: 1_000_000), as: UTF8.self)
    #expect(try text() == "one\n\(mark)two\n")
    log = resume()
    log.append(LogLayout.mark(missing: 5_000), from: 1_000_008)
    log.append(Array("three\n".utf8), from: 2_000_000)
    #expect(resume().received == 2_000_006)
    let other = String(decoding: LogLayout.mark(missing: 5_000), as: UTF8.self)
    #expect(try text() == "one\n\(mark)two\n\(other)three\n")
  }

  @Test func `what cannot be written is asked for again, and what comes meanwhile, too`() throws {
    var log = try begin()
    log.append(Array("one\n".utf8), from: 0)
    try File.rename(path, to: path + ".away")
    try File.makeDirectories(path)
    log.append(Array("two\n".utf8), from: 4)
    #expect(log.askAgainAt != nil && log.received == 4)
    try File.removeTree(path)
    try File.rename(path + ".away", to: path)
    log.append(Array("three\n".utf8), from: 8)
    // It was requested, and data under way arrives before that.
    log.askAgainAt = nil
    log.append(Array("four\n".utf8), from: 14)
    #expect(log.received == 4 && log.isBehind)
    log.append(Array("two\nthree\n".utf8), from: 4)
    #expect(!log.isBehind)
    #expect(try text() == "one\ntwo\nthree\n")
  }

  @Test func `a long one keeps head and tail, and says all that is missing`() throws {
    var log = try begin()
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 8_191) + [0x0A]
    log.append(Array("head\n".utf8), from: 0)
    // Half of it never arrives.
    for index in 0..<400 as Range<UInt64> {
      log.append(line, from: 5 + (index < 200 ? index : index + 400) * 8_192)
    }
    log.append(Array("tail\n".utf8), from: 5 + 800 * 8_192)
    #expect(resume().received == 10 + 800 * 8_192)
    let file = try File.open(path)
    let size = try file.size()
    let found = file.firstHole(before: size)
    let hole = try #require(found)
    #expect(size - (hole.upperBound - hole.lowerBound) <= LogLayout.least + LogLayout.grain)
    let mark = try file.read(
      at: hole.lowerBound - UInt64(LogLayout.markBytes), maximum: LogLayout.markBytes)
    let missing = hole.upperBound - hole.lowerBound + 400 * 8_192
    #expect(mark == LogLayout.mark(missing: missing))
    #expect(try text().hasSuffix("\ntail\n"))
  }

  @Test(arguments: [UInt64.max, UInt64.max - 99, 1 << 63, (1 << 63) - 100, 1 << 61] as [UInt64])
  func `an offset that no log has is not believed`(_ offset: UInt64) throws {
    var log = try begin()
    log.append(Array("one\n".utf8), from: 0)
    log.append(Array("two\n".utf8), from: offset)
    #expect(log.received == 4)
    log.append(Array("three\n".utf8), from: 4)
    #expect(try text() == "one\nthree\n")
    #expect(resume().received == 10)
  }

  @Test(arguments: [
    "log \(Int64.max) 0", "log \(Int64.min) 0", "log 9223372036854775707 9223372036854775707",
    "log \(Int64.min)", "log 0 \(Int64.max)", "log 0 -1", "log \(UInt64.max) x", "log", "",
    "log 1152921504606846977 0",
  ])
  func `a note with numbers that no log has costs that attempt its place, no more`(
    _ words: String
  ) throws {
    var log = try begin()
    log.append(Array("one\n".utf8), from: 0)
    try File.writeAtomically(Array("\(words)\n".utf8), to: note)
    log = resume()
    let next = log.received
    #expect(next <= 8)
    log.append(Array("two\n".utf8), from: next)
    log.append(Array("three\n".utf8), from: next + 1_000_004)
    #expect(log.received == next + 1_000_010)
    #expect(try text().hasSuffix("three\n"))
  }
}
