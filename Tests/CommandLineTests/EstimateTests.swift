import Foundation
import JobCore
import JobWire
import TestKit
import Testing

@testable import jobrun

/// How far off the time left is, on recorded runs, beside what a plain average over the run says.
struct EstimateTests {
  /// A recorded run; `Runs/README.md` says what the lines hold.
  private struct Recording {
    var name: String
    var total: UInt64
    var unit: JobProgress.Unit
    var seconds: Double
    var looks: [(seconds: Double, completed: UInt64)]

    init(_ name: String) throws {
      self.name = name
      let text = try String(contentsOfFile: "\(EstimateTests.folder)/\(name)", encoding: .utf8)
      let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
      total = try #require(UInt64(lines[0][0]))
      unit = try #require(JobProgress.Unit(rawValue: String(lines[0][1])))
      seconds = try #require(Double(lines[0][2])) / 1000
      looks = try lines.dropFirst().map {
        (try #require(Double($0[0])) / 1000, try #require(UInt64($0[1])))
      }
    }

    func completed(at second: Double) -> UInt64 {
      looks.last { $0.seconds <= second }?.completed ?? 0
    }

    /// As `jobrun history` tells of it.
    var job: JobObject {
      var job = Sample.ended(.succeeded)
      job.started = WallTime(milliseconds: 0)
      job.ended = WallTime(milliseconds: Int64(seconds * 1000))
      job.progress = JobProgress(completed: total, total: total, unit: unit)
      return job
    }
  }

  private struct Estimate {
    /// The truth, ours alone, ours with earlier runs, and the plain average; in seconds.
    var truth: Double
    var own: Double?
    var led: Double?
    var plain: Double
  }

  private static let folder = BuiltProducts.packageRoot + "/Tests/CommandLineTests/Runs"
  private static let marks = [0.25, 0.5, 0.75]

  private static func seconds(_ span: Span?) -> Double? {
    span.map { Double($0.nanoseconds) / 1e9 }
  }

  /// What was said when a quarter, a half and three quarters were done, looking ten times a second.
  private func estimates(_ run: Recording, _ earlier: EarlierRuns) -> [Estimate?] {
    var found = [Estimate?](repeating: nil, count: Self.marks.count)
    var estimator = ProgressEstimator()
    let progress = JobProgress(completed: 0, total: run.total, unit: run.unit)
    for tick in 0...Int(run.seconds * 10) {
      let second = Double(tick) / 10
      let now = Instant(nanoseconds: 1_000_000_000 + UInt64(tick) * 100_000_000)
      let done = run.completed(at: second)
      estimator.update(completed: done, at: now)
      for (place, mark) in Self.marks.enumerated()
      where found[place] == nil && Double(done) >= mark * Double(run.total) {
        found[place] = Estimate(
          truth: run.seconds - second,
          own: Self.seconds(estimator.remaining(total: run.total, at: now)),
          led: Self.seconds(
            estimator.remaining(
              total: run.total, at: now, expected: earlier.expected(progress),
              elapsed: .milliseconds(UInt64(tick) * 100))),
          plain: second * Double(run.total - done) / Double(max(1, done)))
      }
    }
    return found
  }

  private func recordings() throws -> [Recording] {
    try FileManager.default.contentsOfDirectory(atPath: Self.folder)
      .filter { $0.hasSuffix(".run") }.sorted().map(Recording.init)
  }

  private func earlierRuns(of run: Recording, in all: [Recording]) -> EarlierRuns {
    var earlier = EarlierRuns()
    let kind = run.name.prefix { $0 != "-" }
    for other in all where other.name.hasPrefix(kind) && other.name < run.name {
      earlier.add(other.job)
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

  private static func cell(_ value: Double?) -> String {
    let text = value.map { String(Int($0.rounded())) + " %" } ?? "-"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
  }

  @Test func `the time left is nearer to the truth than a plain average says`() throws {
    let all = try recordings()
    #expect(all.count >= 10)
    var lines = [
      "Error of the time left, in percent of the truth, when 25, 50 and 75 % were done",
      "recording          with earlier runs            alone                   plain average",
    ]
    var errors: [[[Double]]] = Array(repeating: Array(repeating: [], count: 3), count: 3)
    for run in all {
      var columns: [[Double?]] = [[], [], []]
      for (place, estimate) in estimates(run, earlierRuns(of: run, in: all)).enumerated() {
        guard let estimate else { continue }
        // What says nothing is no better than the average that one would take instead.
        let values = [
          estimate.led ?? estimate.plain, estimate.own ?? estimate.plain, estimate.plain,
        ]
        for (column, value) in values.enumerated() {
          let error = Self.error(value, estimate.truth)
          errors[column][place].append(error)
          columns[column].append([estimate.led, estimate.own, value][column] == nil ? nil : error)
        }
      }
      let cells = columns.map { $0.map(Self.cell).joined() }.joined(separator: "  ")
      lines.append(run.name.padding(toLength: 16, withPad: " ", startingAt: 0) + cells)
    }
    let medians = errors.map { $0.map(Self.median) }
    let cells = medians.map { $0.map { Self.cell($0) }.joined() }.joined(separator: "  ")
    lines.append("median".padding(toLength: 16, withPad: " ", startingAt: 0) + cells)
    for place in Self.marks.indices { #expect(medians[0][place] < medians[2][place]) }
    let table = lines.joined(separator: "\n") + "\n"
    let kept = try String(contentsOfFile: Self.folder + "/estimates.txt", encoding: .utf8)
    #expect(table == kept, "the table is now\n\(table)")
  }
}
