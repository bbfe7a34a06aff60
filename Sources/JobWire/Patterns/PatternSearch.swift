/// Matches a pattern in a line: all threads advance together, byte by byte, so that the time is at most the
/// line's length times the program's size (Thompson 1968; Pike's captures).
struct PatternSearch {
  /// The threads, the preferred one first, each with its captures.
  private struct Ways {
    var places: [Int] = []
    /// `width` numbers for each way; -1 = not noted.
    var notes: [Int] = []

    mutating func removeAll() {
      places.removeAll(keepingCapacity: true)
      notes.removeAll(keepingCapacity: true)
    }
  }

  private enum Step {
    case visit(Int)
    /// Everything that follows from a note is done: it is as it was.
    case restore(note: Int, place: Int)
  }

  private let pattern: LinePattern
  private let width: Int
  private var now = Ways()
  private var next = Ways()
  /// For each instruction the offset at which it was visited last.
  private var visitedAt: [Int]
  private var steps: [Step] = []
  private var notes: [Int]

  init(_ pattern: LinePattern) {
    self.pattern = pattern
    width = 2 * min(pattern.groupCount, LinePattern.maximumGroups)
    visitedAt = [Int](repeating: -1, count: pattern.program.count)
    notes = [Int](repeating: -1, count: width)
  }

  mutating func groups(in line: [UInt8], steps allowance: inout Int) -> [[UInt8]]? {
    var found: [Int]?
    for offset in 0...line.count {
      // The earliest start wins, and none begins after the first match.
      if found == nil {
        notes = [Int](repeating: -1, count: width)
        enter(0, at: offset, in: line, cost: &allowance)
      }
      guard allowance > 0 else { return nil }
      if found != nil, now.places.isEmpty { break }
      advance(over: offset, in: line, found: &found, cost: &allowance)
    }
    return found.map { notes in
      stride(from: 0, to: width, by: 2).map { start in
        notes[start] < 0 || notes[start + 1] < notes[start]
          ? [] : Array(line[notes[start]..<notes[start + 1]])
      }
    }
  }

  /// Takes one byte, or the end of the line, along every way.
  private mutating func advance(
    over offset: Int, in line: [UInt8], found: inout [Int]?, cost: inout Int
  ) {
    swap(&now, &next)
    now.removeAll()
    for index in next.places.indices {
      cost -= 1
      let place = next.places[index]
      let noted = next.notes[(index * width)..<((index + 1) * width)]
      if pattern.program[place] == .match {
        // Later ways are worse than this one.
        found = Array(noted)
        return
      }
      guard offset < line.count, takes(place, line[offset]) else { continue }
      notes = Array(noted)
      enter(place + 1, at: offset + 1, in: line, cost: &cost)
    }
  }

  private func takes(_ place: Int, _ byte: UInt8) -> Bool {
    switch pattern.program[place] {
    case .byte(let wanted): wanted == byte
    case .any: true
    case .set(let number): pattern.sets[number].contains(byte)
    case .edge, .split, .jump, .note, .match: false
    }
  }

  /// Adds the threads that continue from an instruction without another byte.
  private mutating func enter(_ start: Int, at offset: Int, in line: [UInt8], cost: inout Int) {
    steps.append(.visit(start))
    while let step = steps.popLast() {
      guard case .visit(let place) = step else {
        if case .restore(let note, let place) = step { notes[note] = place }
        continue
      }
      cost -= 1
      guard visitedAt[place] < offset else { continue }
      visitedAt[place] = offset
      follow(place, at: offset, in: line)
    }
  }

  private mutating func follow(_ place: Int, at offset: Int, in line: [UInt8]) {
    switch pattern.program[place] {
    case .jump(let target): steps.append(.visit(target))
    case .split(let first, let second): steps += [.visit(second), .visit(first)]
    case .edge(let edge): if edge.holds(at: offset, in: line) { steps.append(.visit(place + 1)) }
    case .note(let note):
      if note < width {
        steps.append(.restore(note: note, place: notes[note]))
        notes[note] = offset
      }
      steps.append(.visit(place + 1))
    case .byte, .any, .set, .match:
      now.places.append(place)
      now.notes += notes
    }
  }
}

extension PatternEdge {
  func holds(at offset: Int, in line: [UInt8]) -> Bool {
    let before = offset > 0 && ByteSet.word.contains(line[offset - 1])
    let after = offset < line.count && ByteSet.word.contains(line[offset])
    return switch self {
    case .start: offset == 0
    case .end: offset == line.count
    case .word: before != after
    case .noWord: before == after
    case .wordStart: !before && after
    case .wordEnd: before && !after
    }
  }
}
