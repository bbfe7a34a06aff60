import Foundation
import JobCore
import JobRecognition
import Testing

/// The time left of the recorded runs that are understood, beside how long they really took.
struct TimeLeftTests {
  private struct Row {
    var name: String
    /// Shown over true, at each mark; nil where none is shown.
    var ratios: [Double?]
    /// Whether "about" and a range is said there.
    var areRanges: [Bool]
    /// The looks with a range, and those of them whose range held the truth.
    var ranges = 0
    var held = 0

    var text: String {
      let cells = zip(ratios, areRanges).map { ratio, isRange in
        ratio.map { String(format: "%.2f", $0) + (isRange ? " about" : "") } ?? "–"
      }
      return ([name.padded(26)] + cells.map { $0.padded(14) }).joined().trimmingCharacters(
        in: .whitespaces) + "\n"
    }
  }

  private static let marks = [0.25, 0.5, 0.75]

  /// As the runner does it, without earlier runs; `slower`: the run takes this many times as long.
  private static func row(_ run: ShownRun, slower: Double = 1) -> Row {
    var estimator = ProgressEstimator()
    var said: [(time: Double, left: Double?, isRange: Bool)] = []
    var last: Finding?
    let end = run.cast.time(of: 1) * slower
    var (ranges, held) = (0, 0)
    for look in run.looks {
      let time = look.time * slower
      let now = Instant(nanoseconds: 1_000_000_000 + UInt64(time * 1e9))
      var left: Interval?
      var isRange = false
      if let finding = look.finding {
        if let last, last.counts.unit != finding.counts.unit || last.source != finding.source {
          estimator = ProgressEstimator()
        }
        let counts = finding.counts
        estimator.update(completed: counts.completed, at: now)
        if !finding.isPart, counts.total > 0, !counts.isComplete {
          left = estimator.remaining(total: counts.total, at: now)
          if let range = estimator.range(total: counts.total, at: now), time < end {
            isRange = true
            ranges += 1
            held += range.contains(Interval(nanoseconds: UInt64((end - time) * 1e9))) ? 1 : 0
          }
        }
      }
      last = look.finding
      said.append((time, left.map { Double($0.nanoseconds) / 1e9 }, isRange))
    }
    let shown = marks.map { mark in
      said.last { $0.time <= run.cast.time(of: mark) * slower }
    }
    return Row(
      name: run.cast.name,
      ratios: shown.map { look in look.flatMap { look in look.left.map { $0 / (end - look.time) } }
      },
      areRanges: shown.map { $0?.isRange ?? false }, ranges: ranges, held: held)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private static func table(_ rows: [Row]) -> String {
    func medians(_ isCounted: (Row, Int) -> Bool) -> String {
      marks.indices.map { mark in
        let errors = rows.filter { isCounted($0, mark) }
          .compactMap { $0.ratios[mark].map { abs($0 - 1) } }
        return "\(Int((median(errors) * 100).rounded())) % of \(errors.count)".padded(14)
      }.joined().trimmingCharacters(in: .whitespaces) + "\n"
    }
    let heading =
      "shown / true".padded(26) + marks.map { "at \(Int($0 * 100)) %".padded(14) }.joined()
    let (ranges, held) = rows.reduce((0, 0)) { ($0.0 + $1.ranges, $0.1 + $1.held) }
    return heading.trimmingCharacters(in: .whitespaces) + "\n" + rows.map(\.text).joined()
      + "median error".padded(26) + medians { _, _ in true }
      + "without about".padded(26) + medians { !$0.areRanges[$1] }
      + "\(held) of \(ranges) ranges held the truth\n"
  }

  /// What is off by more than a factor of two at a quarter, when it takes a minute or more, and why.
  private static let unevenWhenSlow = ["fossil": "it rests for long after a quick start"]

  /// Most recorded runs last for less than ten seconds, so that their first quarter is as long as a few looks.
  @Test func `the time left of recorded runs is true to a tenth when they take a minute`() throws {
    let (slower, shortest) = (12.0, 5.0)
    let runs = ShownAndTrueTests.runs.filter { $0.verdict == .right && $0.cast.end >= shortest }
    let rows = runs.map { Self.row(ShownRun($0.cast, looks: slower), slower: slower) }
    let table = Self.table(rows)
    let folder = ProcessInfo.processInfo.environment["JOBRUN_CASTS"].map { URL(filePath: $0) }
    let file = (folder ?? Cast.folder).appending(path: "time-left-slow.txt")
    if folder != nil { return try table.write(to: file, atomically: true, encoding: .utf8) }
    let kept = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    #expect(table == kept, "the table is now\n\(table)")
    for mark in Self.marks.indices {
      #expect(Self.median(rows.compactMap { $0.ratios[mark].map { abs($0 - 1) } }) <= 0.1)
    }
    #expect(rows.count { $0.ratios[0] != nil } >= 80)
    for row in rows where Self.unevenWhenSlow[row.name] == nil {
      guard let ratio = row.ratios[0], !row.areRanges[0] else { continue }
      #expect((0.5...2).contains(ratio), "\(row.name): \(ratio)")
    }
  }

  @Test func `the time left of recorded runs is about true`() throws {
    let folder = ProcessInfo.processInfo.environment["JOBRUN_CASTS"].map { URL(filePath: $0) }
    let runs = folder.map { Cast.read($0).map(ShownAndTrueTests.run) } ?? ShownAndTrueTests.runs
    let rows = runs.filter { $0.verdict == .right }.map { Self.row($0) }
    let table = Self.table(rows)
    if let folder {
      return try table.write(
        to: folder.appending(path: "time-left.txt"), atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: Cast.folder.appending(path: "time-left.txt"), encoding: .utf8)
    #expect(table == kept, "the table is now\n\(table)")
    for (mark, most) in zip(Self.marks.indices, [0.16, 0.1, 0.1]) {
      // A value with a range is judged by its range, below.
      let plain = rows.filter { !$0.areRanges[mark] }.compactMap { $0.ratios[mark] }
      #expect(Self.median(plain.map { abs($0 - 1) }) <= most)
    }
    let (ranges, held) = rows.reduce((0, 0)) { ($0.0 + $1.ranges, $0.1 + $1.held) }
    // A program that becomes ten times as fast at its end is outside of any range.
    #expect(held * 3 > ranges * 2, "\(held) of \(ranges) ranges held the truth")
    for row in rows {
      guard let ratio = row.ratios[0], !row.areRanges[0] else { continue }
      #expect((0.5...2).contains(ratio), "\(row.name): \(ratio)")
    }
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
