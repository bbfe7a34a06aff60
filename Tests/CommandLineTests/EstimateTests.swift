import Foundation
import JobCore
import TestKit
import Testing

/// The error of the remaining time, on recorded and made-up runs, beside that of a plain average over the run.
struct EstimateTests {
  private struct Estimate {
    /// The truth, ours alone, ours with earlier runs, and the plain average; in seconds.
    var truth: Double
    var own: Double?
    var led: Double?
    var plain: Double
  }

  /// The estimates of one run.
  private struct Verdict {
    /// When a quarter, a half and three quarters were done.
    var estimates = [Estimate?](repeating: nil, count: EstimateTests.marks.count)
    /// How many times too long or too short it was at worst, after three steps.
    var worst = 1.0
  }

  private static let marks = [0.25, 0.5, 0.75]

  private static func seconds(_ span: Interval?) -> Double? {
    span.map { Double($0.nanoseconds) / 1e9 }
  }

  private static func instant(_ second: Double) -> Instant {
    Instant(nanoseconds: 1_000_000_000 + UInt64((second * 1000).rounded()) * 1_000_000)
  }

  /// The estimates, with samples `apart` seconds apart.
  private func verdict(
    _ run: Course, _ earlier: EarlierRuns = EarlierRuns(), apart: Double = 0.1
  ) -> Verdict {
    var verdict = Verdict()
    var estimator = ProgressEstimator()
    let expected = earlier.expected(total: run.total, unit: run.unit)
    for (second, completed) in run.seen(every: apart) {
      let now = Self.instant(second)
      let truth = run.seconds - second
      estimator.update(completed: completed, at: now)
      let own = Self.seconds(estimator.remaining(total: run.total, at: now))
      if let own, truth >= 1, completed >= run.begun + 3 {
        verdict.worst = max(verdict.worst, own / truth, truth / max(own, 0.01))
      }
      for (place, mark) in Self.marks.enumerated()
      where verdict.estimates[place] == nil && run.done(completed) >= mark {
        verdict.estimates[place] = Estimate(
          truth: truth, own: own,
          led: Self.seconds(
            estimator.remaining(
              total: run.total, at: now, expected: expected,
              elapsed: .milliseconds(UInt64(second * 1000)))),
          plain: second * Double(run.total - completed) / Double(max(1, completed)))
      }
    }
    return verdict
  }

  private func earlierRuns(of run: Course, in all: [Course]) -> EarlierRuns {
    var earlier = EarlierRuns()
    let kind = run.name.prefix { $0 != "-" }
    for other in all where other.name.hasPrefix(kind) && other.name < run.name {
      earlier.add(
        .milliseconds(UInt64(other.seconds * 1000)), total: other.total, unit: other.unit)
    }
    return earlier
  }

  /// Of the truth, in percent; a truth of less than half a second counts as half of one.
  private static func error(_ estimate: Double, _ truth: Double) -> Double {
    abs(estimate - truth) / max(truth, 0.5) * 100
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The table with its columns: with earlier runs, alone, the plain average.
  private struct Table {
    private(set) var lines: [String] = []
    /// By column and mark.
    private(set) var errors = [[[Double]]](
      repeating: Array(repeating: [], count: 3), count: 3)

    mutating func add(_ run: Course, _ verdict: Verdict) {
      var columns: [[Double?]] = [[], [], []]
      for (place, estimate) in verdict.estimates.enumerated() {
        guard let estimate else { continue }
        for (column, value) in [estimate.led, estimate.own, estimate.plain].enumerated() {
          // Without an estimate, the average counts instead.
          let error = EstimateTests.error(value ?? estimate.plain, estimate.truth)
          errors[column][place].append(error)
          columns[column].append(value == nil ? nil : error)
        }
      }
      let tenths = Int((verdict.worst * 10).rounded())
      addLine(run.name, columns, "\(tenths / 10).\(tenths % 10) x")
    }

    var medians: [[Double]] { errors.map { $0.map(EstimateTests.median) } }

    mutating func addMedians(_ name: String) { addLine(name, medians, "") }

    mutating func addHeading(_ text: String) { lines.append(text) }

    private mutating func addLine(_ name: String, _ columns: [[Double?]], _ worst: String) {
      let cells = columns.map { $0.map(Self.cell).joined() }.joined(separator: "  ")
      let worst = String(repeating: " ", count: max(0, 9 - worst.count)) + worst
      let line = name.padding(toLength: 18, withPad: " ", startingAt: 0) + cells + worst
      lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
    }

    private static func cell(_ value: Double?) -> String {
      let text = value.map { String(Int($0.rounded())) + " %" } ?? "-"
      return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
  }

  @Test func `the time left is near the truth, and nearer than a plain average says`() throws {
    var table = Table()
    table.addHeading(
      "Error of the time left, in percent of the truth, when 25, 50 and 75 % were done")
    table.addHeading(
      "run                 with earlier runs          alone                     plain average"
        + "           worst")
    let recorded = try Course.recorded()
    #expect(recorded.count >= 10)
    for run in recorded { table.add(run, verdict(run, earlierRuns(of: run, in: recorded))) }
    table.addMedians("median of these")
    let recordedMedians = table.medians
    for run in Course.regular { table.add(run, verdict(run)) }
    table.addMedians("median of all")
    let medians = table.medians
    var shapes = Table()
    for run in Course.shapes { shapes.add(run, verdict(run)) }
    shapes.addMedians("median of these")
    for place in Self.marks.indices {
      #expect(medians[0][place] <= 10 && medians[1][place] <= 10, "\(medians)")
      #expect(recordedMedians[0][place] < recordedMedians[2][place], "\(recordedMedians)")
    }
    let text = (table.lines + shapes.lines).joined(separator: "\n") + "\n"
    let kept = try String(contentsOfFile: Course.folder + "/estimates.txt", encoding: .utf8)
    #expect(text == kept, "the table is now\n\(text)")
  }

  @Test(arguments: [0.1, 0.5, 1.0])
  func `regular steps are never off by two after the third, however often one looks`(
    apart: Double
  ) throws {
    for run in Course.regular where run.seconds / Double(run.total) >= apart {
      let verdict = verdict(run, apart: apart)
      #expect(verdict.worst < 2, "\(run.name): \(verdict.worst)")
      for estimate in verdict.estimates {
        let estimate = try #require(estimate)
        let own = try #require(estimate.own, "\(run.name) says nothing")
        #expect(Self.error(own, estimate.truth) <= 10, "\(run.name): \(own) of \(estimate.truth)")
      }
    }
  }
}
