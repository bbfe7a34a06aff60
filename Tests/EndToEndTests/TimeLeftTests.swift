import Foundation
import JobWire
import TestKit
import Testing

/// The remaining time is computed in one place, so that all clients show the same.
@Suite struct TimeLeftTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try workshop.define(
      "steps",
      """
      jobrun progress --completed 0 --total 30
      for step in $(seq 30); do
        sleep 1
        jobrun progress --completed $step --total 30
      done
      """)
  }

  /// The seconds of the last `0:24 left` that a terminal shows.
  private func seconds(on terminal: Pseudoterminal) throws -> Double {
    let line = try #require(
      terminal.screen(columns: 100).lines.last { $0.contains(" left") })
    let before = try #require(line.components(separatedBy: " left").first)
    let digits = before.reversed().prefix { $0.isNumber || $0 == ":" }
    let parts = String(digits.reversed()).split(separator: ":").compactMap { Double($0) }
    try #require(parts.count == 2, "\(before.suffix(20))")
    return parts[0] * 60 + parts[1]
  }

  @Test func `attach, watch, show, list and the feed say the same at the same moment`() throws {
    _ = try workshop.submit("steps")
    // After one or two steps a range is shown.
    let steps = try workshop.start("feed")
    _ = try steps.wait(for: "\"completed\":4")
    steps.signal(2)
    let attached = try Pseudoterminal(columns: 100)
    let attach = try workshop.start("attach", "1", on: attached)
    try attached.read(until: " left")
    // A later client shows the same as the earlier ones.
    let later = try Pseudoterminal(columns: 100)
    let latecomer = try workshop.start("attach", "1", on: later)
    let board = try Pseudoterminal(columns: 100)
    let watch = try workshop.start("watch", on: board)
    try later.read(until: " left")
    try board.read(until: " left")
    let feed = try workshop.start("feed")
    let told = try feed.wait(for: "\"event\":\"snapshot\"")
    feed.signal(2)
    let inFeed = try #require(told.split(separator: "\"eta\":").last?.split(separator: ",").first)
    let listed = try workshop.jobrun("list", "--format", "eta").output
    let shown = try workshop.show(1)
    let all = [
      try #require(shown.progress?.eta), try #require(Double(inFeed)),
      try #require(Double(listed.dropLast())), try seconds(on: attached),
      try seconds(on: later), try seconds(on: board),
    ]
    // They are asked one after the other, and a terminal may be drawn a second later.
    #expect(try #require(all.max()) - #require(all.min()) < 4, "\(all)")
    // Steps of a second each, plus the delays of a busy machine.
    #expect(try #require(all.max()) < 45, "\(all)")
    for process in [attach, latecomer] { process.signal(1) }
    watch.signal(1)
    try workshop.jobrun("cancel", "1", "--now")
  }
}
