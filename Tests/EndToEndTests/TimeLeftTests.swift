import Foundation
import JobWire
import TestKit
import Testing

/// The remaining time is computed in one place, so that all clients show the same.
@Suite struct TimeLeftTests {
  private let workshop: Workshop
  private let began = ContinuousClock.now

  init() throws {
    workshop = try Workshop()
    // It counts seconds, which also one that had no processor for a while has right, and starts no program
    // for a step: of steps that are not alike, a range is shown.
    try workshop.define(
      "steps",
      """
      exec perl -MPOSIX -e '
        open my $page, "+<", $ENV{JOBRUN_PAGE};
        sub put { sysseek $page, $_[0], 0; syswrite $page, pack "Q<", $_[1] }
        sub now { (POSIX::times())[0] / 100 }
        my $begin = now();
        put(72, 90);
        for (my $step = 0; $step < 90; select undef, undef, undef, 0.05) {
          $step = int(now() - $begin);
          put(64, $step);
          for (grep { $_ <= $step } 1, 6) {
            -e "$ENV{READY}.$_" or open my $file, ">", "$ENV{READY}.$_";
          }
        }'
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

  /// Since the test began.
  private var now: Double { (ContinuousClock.now - began) / .seconds(1) }

  /// When the job ends by the time left that somebody says now: if it was true at the question, and if it was
  /// at the answer.
  private func end(by said: () throws -> Double) throws -> ClosedRange<Double> {
    let asked = now
    let left = try said()
    return (asked + left)...(now + left)
  }

  /// The same by the next picture on a terminal, as the present one may be an old one.
  private func end(on terminal: Pseudoterminal) throws -> ClosedRange<Double> {
    try terminal.wait(untilShown: " left")
    return try end {
      try terminal.read(until: "\u{1B}")
      return try seconds(on: terminal)
    }
  }

  @Test func `attach, watch, show, list and the feed say the same at the same moment`() throws {
    _ = try workshop.submit("steps")
    try WaitFor.file(workshop.sandbox.path("ready.1"))
    let second = now
    // As long as somebody reads it, the runner sees each step.
    let steps = try workshop.start("feed")
    try WaitFor.file(workshop.sandbox.path("ready.6"))
    // After one or two steps a range is shown.
    try WaitFor.answer("a time left") {
      let progress = try workshop.show(1).progress
      return progress?.eta != nil && progress?.etaRange == nil
    }
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
    let ends = [
      try end {
        let feed = try workshop.start("feed")
        defer { feed.signal(2) }
        try feed.wait(for: "\"event\":\"snapshot\"")
        let line = try #require(feed.wait(for: "\n").split(separator: "\n").first)
        let eta = try #require(line.split(separator: "\"eta\":").last?.split(separator: ",").first)
        return try #require(Double(eta))
      },
      try end {
        let listed = try workshop.jobrun("list", "--format", "eta").output
        return try #require(Double(listed.dropLast()))
      },
      try end { try #require(workshop.show(1).progress?.eta) },
      try end(on: attached), try end(on: later), try end(on: board),
    ]
    // They are asked one after the other, and a terminal may be drawn a second later.
    let (first, last) = (ends.map(\.upperBound).min(), ends.map(\.lowerBound).max())
    #expect(try #require(last) - #require(first) < 4, "\(ends)")
    // Ninety steps of a second each.
    #expect(try #require(last) < second + 120, "\(ends)")
    steps.signal(2)
    for process in [attach, latecomer] { process.signal(1) }
    watch.signal(1)
    try workshop.jobrun("cancel", "1", "--now")
  }
}
