import Foundation
import JobCore
import TestKit
import Testing

/// The progress of a run over time: recorded from a real one, or made up.
struct Course {
  var name: String
  var total: UInt64
  var unit = PageSample.Unit.items
  /// How long it took.
  var seconds: Double
  /// Ascending; the first is at the start.
  var looks: [(seconds: Double, completed: UInt64)]

  /// The count before the first step.
  var begun: UInt64 { looks.first.map { $0.seconds == 0 ? $0.completed : 0 } ?? 0 }

  /// The share of the work that this run had to do itself.
  func done(_ completed: UInt64) -> Double {
    Double(completed - begun) / Double(total - begun)
  }

  /// Looks `apart` seconds apart, the last before the end.
  func seen(every apart: Double) -> [(seconds: Double, completed: UInt64)] {
    var place = 0
    var completed: UInt64 = 0
    return (0..<Int(seconds / apart)).map { tick in
      let second = Double(tick) * apart
      while place < looks.count, looks[place].seconds <= second + 1e-9 {
        completed = looks[place].completed
        place += 1
      }
      return (second, completed)
    }
  }
}

// MARK: Recorded

extension Course {
  static let folder = BuiltProducts.packageRoot + "/Tests/CommandLineTests/Runs"

  /// A file of `Runs`; see its `README.md` for the format.
  init(recorded file: String) throws {
    name = String(file.dropLast(4))
    let text = try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    total = try #require(UInt64(lines[0][0]))
    unit = lines[0][1] == "bytes" ? .bytes : .items
    seconds = try #require(Double(lines[0][2])) / 1000
    looks = try lines.dropFirst().map {
      (try #require(Double($0[0])) / 1000, try #require(UInt64($0[1])))
    }
  }

  static func recorded() throws -> [Course] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".run") }.sorted().map(Course.init(recorded:))
  }
}

// MARK: Made up

extension Course {
  /// One unit at the end of each step.
  init(_ name: String, steps: [Double], begun: UInt64 = 0) {
    self.name = name
    total = begun + UInt64(steps.count)
    seconds = steps.reduce(0, +)
    looks = [(0, begun)]
    var time = 0.0
    for (index, step) in steps.enumerated() {
      time += step
      looks.append((time, begun + UInt64(index) + 1))
    }
  }

  init(_ name: String, every step: Double, steps: Int) {
    self.init(name, steps: Array(repeating: step, count: steps))
  }

  /// Twenty jobs whose steps are all alike, from a tenth of a second to ten minutes.
  static var regular: [Course] {
    let steps = [
      0.1, 0.2, 0.3, 0.5, 0.8, 1, 1.5, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 120, 300, 600,
    ]
    return steps.map { step in
      Course("every \(step) s", every: step, steps: step < 0.5 ? 200 : step < 5 ? 40 : 8)
    }
  }

  /// Jobs that are anything but regular.
  static var shapes: [Course] {
    [
      Course("bursts of 8, 12 s", steps: repeated(Array(repeating: 0.2, count: 8) + [12], 10)),
      Course("slowing", steps: (0..<60).map { 1 + Double($0) / 10 }),
      Course("speeding up", steps: (0..<60).map { 7 - Double($0) / 10 }),
      Course("resumed at 60 %", steps: Array(repeating: 4, count: 40), begun: 60),
      Course("two phases", steps: repeated([2], 30) + repeated([6], 30)),
      Course("one huge step", steps: repeated([2], 20) + [120] + repeated([2], 39)),
      Course("pause each tenth", steps: repeated(Array(repeating: 3, count: 9) + [30], 6)),
      Course("give or take 20 %", steps: scattered(30) { 10 * (0.8 + 0.4 * $0) }),
      Course("give or take 50 %", steps: scattered(30) { 10 * (0.5 + $0) }),
      Course("2 s and 8 s", steps: repeated([2, 8], 20)),
      Course("cached at first", steps: repeated([0.1], 20) + repeated([5], 40)),
      Course("long set-up", steps: [60] + repeated([3], 50)),
    ]
  }

  private static func repeated(_ steps: [Double], _ count: Int) -> [Double] {
    Array(repeating: steps, count: count).flatMap(\.self)
  }

  /// The same numbers each time, between 0 and 1.
  private static func scattered(_ count: Int, _ step: (Double) -> Double) -> [Double] {
    var state: UInt64 = 12
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return step(Double(state >> 40) / Double(1 << 24))
    }
  }
}
