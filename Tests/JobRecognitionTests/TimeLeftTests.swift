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
    /// Whether the time is right within a factor of two there, or the truth within the range that is said.
    var areRight: [Bool]
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
    var said: [(time: Double, left: Double?, isRange: Bool, isHeld: Bool)] = []
    var last: Finding?
    let end = run.cast.time(of: 1) * slower
    var (ranges, held) = (0, 0)
    for look in run.looks {
      let time = look.time * slower
      let now = Instant(nanoseconds: 1_000_000_000 + UInt64(time * 1e9))
      var left: Interval?
      var (isRange, isHeld) = (false, false)
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
            isHeld = range.contains(Interval(nanoseconds: UInt64((end - time) * 1e9)))
            ranges += 1
            held += isHeld ? 1 : 0
          }
        }
      }
      last = look.finding
      said.append((time, left.map { Double($0.nanoseconds) / 1e9 }, isRange, isHeld))
    }
    let shown = marks.map { mark in
      let time = run.cast.time(of: mark) * slower
      return said.last { $0.time <= time }
    }
    let ratios = shown.map { look in
      look.flatMap { look in look.left.map { $0 / (end - look.time) } }
    }
    return Row(
      name: run.cast.name, ratios: ratios, areRanges: shown.map { $0?.isRange ?? false },
      areRight: zip(ratios, shown).map { ratio, look in
        ratio.map { (0.5...2).contains($0) } ?? true || look?.isHeld == true
      }, ranges: ranges, held: held)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private static func errors(_ rows: [Row], at mark: Int) -> [Double] {
    rows.compactMap { $0.ratios[mark].map { abs($0 - 1) } }
  }

  private static func table(_ rows: [Row]) -> String {
    func medians(_ isCounted: (Row, Int) -> Bool) -> String {
      marks.indices.map { mark in
        let errors = errors(rows.filter { isCounted($0, mark) }, at: mark)
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

  /// What is off by more than a factor of two at a quarter, outside of its own range, when it takes a minute or
  /// more, and why.
  private static let unevenWhenSlow = [
    "fossil": "at an even pace to the half, and then four times as slow"
  ]
  /// Most recorded runs last for less than ten seconds, so that their first quarter is as long as a few looks.
  private static let slower = 12.0
  private static let shortest = 5.0

  private static let rows = ShownAndTrueTests.runs.filter { $0.verdict == .right }.map { row($0) }
  private static let slowRows = ShownAndTrueTests.runs
    .filter { $0.verdict == .right && $0.cast.end >= shortest }
    .map { row(ShownRun($0.cast, looks: slower), slower: slower) }

  /// Of all ranges, an eighth at most may miss the truth: a program that becomes ten times as fast at its end is
  /// outside of any.
  private static func expectRanges(_ rows: [Row]) {
    let (ranges, held) = rows.reduce((0, 0)) { ($0.0 + $1.ranges, $0.1 + $1.held) }
    #expect(held * 8 > ranges * 7, "\(held) of \(ranges) ranges held the truth")
  }

  @Test func `the time left of recorded runs is true to a tenth when they take a minute`() throws {
    let rows = Self.slowRows
    let table = Self.table(rows)
    let folder = ProcessInfo.processInfo.environment["JOBRUN_CASTS"].map { URL(filePath: $0) }
    let file = (folder ?? Cast.folder).appending(path: "time-left-slow.txt")
    if folder != nil { return try table.write(to: file, atomically: true, encoding: .utf8) }
    let kept = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    #expect(table == kept, "the table is now\n\(table)")
    for (mark, most) in zip(Self.marks.indices, [0.08, 0.06, 0.07]) {
      #expect(Self.median(Self.errors(rows, at: mark)) <= most)
    }
    #expect(rows.count { $0.ratios[0] != nil } >= 110)
    for row in rows where Self.unevenWhenSlow[row.name] == nil {
      #expect(row.areRight[0], "\(row.name): \(row.ratios[0] ?? 0)")
    }
    Self.expectRanges(rows)
  }

  @Test func `the time left of recorded runs is about true`() throws {
    let folder = ProcessInfo.processInfo.environment["JOBRUN_CASTS"].map { URL(filePath: $0) }
    let rows =
      folder.map { folder in
        Cast.read(folder).map(ShownAndTrueTests.run).filter { $0.verdict == .right }
          .map { Self.row($0) }
      } ?? Self.rows
    let table = Self.table(rows)
    if let folder {
      return try table.write(
        to: folder.appending(path: "time-left.txt"), atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: Cast.folder.appending(path: "time-left.txt"), encoding: .utf8)
    #expect(table == kept, "the table is now\n\(table)")
    for (mark, most) in zip(Self.marks.indices, [0.12, 0.08, 0.095]) {
      #expect(Self.median(Self.errors(rows, at: mark)) <= most)
    }
    #expect(rows.count { $0.ratios[0] != nil } >= 85)
    for row in rows { #expect(row.areRight[0], "\(row.name): \(row.ratios[0] ?? 0)") }
    Self.expectRanges(rows)
  }

  @Test func `at a quarter, the time left of all recorded runs is true to a tenth`() {
    #expect(Self.median(Self.errors(Self.rows + Self.slowRows, at: 0)) <= 0.105)
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
