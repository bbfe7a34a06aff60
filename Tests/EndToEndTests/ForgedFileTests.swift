import Foundation
import Glibc
import JobWire
import LinuxSystem
import TestKit
import Testing

/// Run records and launch orders with impossible numbers: a runner that finds them still serves.
@Suite struct ForgedFileTests {
  private let workshop: Workshop
  private var state: String { workshop.sandbox.home + "/state" }
  private var record: String { state + "/runs/1.1" }
  /// The files that a running job left when its runner died.
  private let kept: [String: Data]

  init() throws {
    workshop = try Workshop(slots: 1)
    try workshop.defineGated("gated", #","grace":"1ms","limit":"1h","stallAfter":"1h""#)
    _ = try workshop.submit("gated")
    try workshop.awaitReady(1)
    try workshop.killRunner()
    let names = ["runs/1.1", "runs/1.1.order", "jobrun.db", "jobrun.db-wal"]
    let folder = workshop.sandbox.home + "/state/"
    kept = Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: folder + name).map { (name, $0) }
      })
  }

  /// Puts everything back as it was, but for the one file.
  private func forge(_ name: String, _ content: Data, keepsStore: Bool) throws {
    for (name, content) in kept {
      try? FileManager.default.removeItem(atPath: "\(state)/\(name)")
      guard keepsStore || !name.hasPrefix("jobrun.db") else { continue }
      try content.write(to: URL(fileURLWithPath: "\(state)/\(name)"))
    }
    try content.write(to: URL(fileURLWithPath: "\(state)/\(name)"))
  }

  /// One runner answers all requests despite the forged file.
  private func expectServed(_ forged: String) throws {
    #expect(try workshop.jobrun("list").status == 0, "\(forged)")
    let runner = try RestartTests.runner(workshop)
    let told = try workshop.jobrun("list", "--all", "--json")
    #expect(told.status == 0, "\(forged): \(told.errors)")
    for arguments in [["show", "1"], ["history"], ["cancel", "1", "--now"], ["list"]] {
      _ = try workshop.sandbox.run("jobrun", arguments)
    }
    #expect(try RestartTests.runner(workshop) == runner, "\(forged)")
    let log = try String(contentsOfFile: state + "/runner.log", encoding: .utf8)
    #expect(!log.contains("Fatal error"), "\(forged): \(log.suffix(2_000))")
    try workshop.killRunner()
  }

  private static let largest = "253402300799999"

  @Test(arguments: [
    "started -1 0 -1 0", "started 0 0 0 0",
    "started \(Int32.max) \(UInt64.max) \(Int32.max) \(UInt64.max)",
    "started \(Int64.max) 1 \(Int64.min) 1", "started 2147483646 -1 2147483646 1e9",
    "ended exit \(Int32.max) cpu 0 rss 0 from 0 to \(largest)",
    "ended exit \(Int32.min) cpu 0 rss 0 from \(largest) to 0",
    "ended signal \(Int32.min) cpu \(UInt64(1) << 60) rss \(UInt64(1) << 60) from 0 to 0",
    "ended signal \(Int32.max) cpu \(UInt64.max) rss \(UInt64.max) from 0 to \(Int64.max)",
    "ended cannotStart \(Int32.min) cpu 0 rss 0 from 0 to 1",
    "ended exit 0 cpu 0 rss 0 from 0 to \(Int64.min)",
    "ended exit 0 cpu 0 rss 0 from 0 to 1 " + String(repeating: "x", count: 2_000_000),
    "held " + String(repeating: "\u{1B}", count: 100_000), String(repeating: "9", count: 5_000_000),
    String(repeating: "waited\n", count: 100_000), "ended", "started", "\0\0\0", "ended exit 0 cpu",
  ])
  func `a run record`(line: String) throws {
    let began = try #require(kept["runs/1.1"])
    for before in [Data(), began] {
      try forge("runs/1.1", before + Data((line + "\n").utf8), keepsStore: true)
      try expectServed("\(before.count) bytes and \(line.prefix(80))")
    }
  }

  @Test(arguments: [
    "-1", "0", "\(Int64.max)", "\(UInt64.max)", "18446744073709551616", "1e300", "null", "\"x\"",
    "\"9999-12-31T23:59:59.999Z\"", String(repeating: "9", count: 100_000),
  ])
  func `every number of a launch order without its store`(literal: String) throws {
    let order = try #require(kept["runs/1.1.order"])
    // Fields of the order as `key=number` with a NUL behind, and of its JSON as `"key":number`.
    let text = String(decoding: order, as: UTF8.self)
    let numbers = text.matches(of: /=(\d+)\x00|":(\d+)|":("[0-9-]+T[0-9:.]+Z")/)
    #expect(numbers.count > 8, "\(text)")
    for number in numbers {
      let found = try #require(number.1 ?? number.2 ?? number.3)
      var forged = text
      forged.replaceSubrange(found.startIndex..<found.endIndex, with: literal)
      try forge("runs/1.1.order", Data(forged.utf8), keepsStore: false)
      let key = text[..<found.startIndex].suffix(20)
      try expectServed("\(key) \(literal.prefix(40))")
    }
  }
}
