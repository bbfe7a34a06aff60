package import JobCore

// The file of a trace: a first line with the interval, then a line for each point, the oldest first.
//
//   jobrun-trace 1 1000
//   1774000000000 1 12 100 items
//   1774000030000 1 12 100 items stalled
//
// Milliseconds since 1970, the attempt, completed, total, the unit, and what happened.
extension ProgressTrace {
  /// The largest file that is read; one of `capacity` points has a fifth of that.
  package static let largestFile = 128 << 10

  package var text: String { header + points.map { $0.line }.joined() }

  package var header: String { "jobrun-trace 1 \(interval.milliseconds)\n" }

  /// Nil for what is no trace; lines that are none, such as one that a full disk has cut, are left out.
  package init?(text: String) {
    let lines = text.split(separator: "\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[0] == "jobrun-trace", words[1] == "1",
      let milliseconds = UInt64(words[2]), milliseconds <= 1 << 40
    else { return nil }
    self.init(
      points: lines.dropFirst().compactMap { Point(line: $0) },
      interval: .milliseconds(milliseconds))
  }
}

extension ProgressTrace.Point {
  package var line: String {
    "\(at.milliseconds) \(attempt) \(completed) \(total) \(unit.rawValue)"
      + (mark.map { " \($0.word)" } ?? "") + "\n"
  }

  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 5 || words.count == 6, let at = Int64(words[0]),
      (0...WallTime.latest.milliseconds).contains(at), let attempt = Int32(words[1]),
      let completed = UInt64(words[2]), let total = UInt64(words[3]),
      let unit = PageSample.Unit(rawValue: String(words[4]))
    else { return nil }
    var mark: ProgressTrace.Mark?
    if words.count == 6 {
      mark = ProgressTrace.Mark.allCases.first { $0.word == words[5] }
      if mark == nil { return nil }
    }
    self.init(
      at: WallTime(milliseconds: at), attempt: Int(attempt), completed: completed, total: total,
      unit: unit, mark: mark)
  }
}

extension ProgressTrace.Mark {
  package var word: String {
    switch self {
    case .stalled: "stalled"
    case .answered: "answered"
    case .warned: "warned"
    case .paused: "paused"
    case .resumed: "resumed"
    case .stopping: "stopping"
    case .ended: "ended"
    }
  }
}
