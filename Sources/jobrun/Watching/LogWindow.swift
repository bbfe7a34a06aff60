import JobClient
import JobWire
import LinuxSystem

/// The visible part of a log of any length: its end, which is followed, or a place that was scrolled to or found.
///
/// Only the visible part is read, and a search takes a bounded part at a time.
struct LogWindow {
  /// What a key asks for.
  enum Step: Hashable {
    case move(KeyMove)
    case find(String, isBack: Bool)
    /// Ends the search and forgets its text.
    case forget
  }

  private struct Search {
    var text: String
    var isBack: Bool
    var from: UInt64
    /// Where it began; once it has come around, it ends there.
    let begin: UInt64
    var isAround = false

    /// Whether it has come around to where it began.
    func isPast(_ place: UInt64) -> Bool {
      isAround && (isBack ? place < begin : place >= begin)
    }
  }

  let path: String
  /// Where the first visible line begins; nil while the end is followed.
  private var top: UInt64?
  private var search: Search?
  /// The searched text, and where it was found.
  private var found: (text: String, at: UInt64?)?
  /// The visible bytes.
  private var seen: Range<UInt64> = 0..<0

  /// Most bytes of the lines on a screen, and of lines without an end.
  private static let screenBytes = 256 * 1024
  private static let searchBytes: UInt64 = 1 << 20

  init(path: String) {
    self.path = path
  }

  var isSearching: Bool { search != nil }

  mutating func take(_ step: Step, rows: Int) {
    switch step {
    case .move(let move):
      search = nil
      found?.at = nil
      guard let file = try? File.open(path), let size = try? file.size() else { return }
      try? scroll(move, rows: UInt64(max(1, rows)), size, file)
    case .find(let text, let isBack):
      // After a move it begins with what is visible.
      let here = found?.text == text ? found?.at : nil
      let visible = isBack ? seen.upperBound : seen.lowerBound
      let begin = here.map { isBack ? $0 : $0 + 1 } ?? visible
      search = Search(text: text, isBack: isBack, from: begin, begin: begin)
      found = (text, nil)
    case .forget: (search, found) = (nil, nil)
    }
  }

  private mutating func scroll(
    _ move: KeyMove, rows: UInt64, _ size: UInt64, _ file: borrowing FileDescriptor
  ) throws(SystemError) {
    let last = try Self.start(rows, before: size, file)
    let place = min(top ?? last, last)
    switch move {
    case .first: top = 0
    case .last: top = nil
    case .up: top = try Self.start(1, before: place, file)
    case .pageUp: top = try Self.start(rows, before: place, file)
    case .down: top = try Self.end(1, from: place, file)
    case .pageDown: top = try Self.end(rows, from: place, file)
    }
    if move != .first, let top, top >= last { self.top = nil }
  }

  private static func start(
    _ lines: UInt64, before end: UInt64, _ file: borrowing FileDescriptor
  ) throws(SystemError) -> UInt64 {
    let start = try LogReader.start(
      ofLast: lines, before: end, in: file, within: UInt64(screenBytes))
    // No screen has lines from both sides of what was left out.
    guard let hole = file.firstHole(before: end), hole.upperBound < end else { return start }
    return max(start, hole.upperBound)
  }

  /// Where so many lines end that begin there.
  private static func end(
    _ lines: UInt64, from place: UInt64, _ file: borrowing FileDescriptor
  ) throws(SystemError) -> UInt64 {
    let (start, bytes) = try read(from: place, file)
    var left = lines
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      left -= 1
      if left == 0 { return start + UInt64(index) + 1 }
    }
    return start + UInt64(bytes.count)
  }

  /// As much as a screen takes; the middle of a log over its limit is a hole.
  private static func read(
    from place: UInt64, _ file: borrowing FileDescriptor
  ) throws(SystemError) -> (start: UInt64, bytes: [UInt8]) {
    guard let start = file.dataStart(from: place) else { return (place, []) }
    let length = (file.holeStart(from: start) ?? .max) - start
    var bytes = try file.read(at: start, maximum: Int(min(length, UInt64(screenBytes))))
    guard start > place else { return (start, bytes) }
    // The rest of a block that is freed in part only.
    let blanks = bytes.prefix { $0 == 0 }.count
    bytes.removeFirst(blanks)
    return (start + UInt64(blanks), bytes)
  }
}

// MARK: Searching

extension LogWindow {
  /// Searches on until something is found or the time is up; the sentence to show, if there is one.
  mutating func searchOn(rows: Int, until deadline: UInt64) -> String? {
    guard var state = search else { return nil }
    guard let file = try? File.open(path), let size = try? file.size() else {
      search = nil
      return "the log cannot be read"
    }
    let finder = LogSearch(state.text, isBack: state.isBack)
    repeat {
      let result = finder.result(in: file, from: state.from, most: Self.searchBytes)
      if let at = result.at, !state.isPast(at) { return reach(at, rows: rows, state, file) }
      if let next = result.next, result.at == nil, !state.isPast(next) {
        state.from = next
      } else if state.isAround || result.at != nil {
        search = nil
        return "\(state.text.quoted) is not in this log"
      } else {
        state.isAround = true
        state.from = state.isBack ? size : 0
      }
    } while AwakeClock.now() < deadline
    search = state
    let looked = state.isBack ? size - min(size, state.from) : state.from
    return "searching, \(looked * 100 / max(1, size)) % (Esc stops)"
  }

  /// Shows the found place in the upper part of the screen.
  private mutating func reach(
    _ at: UInt64, rows: Int, _ state: Search, _ file: borrowing FileDescriptor
  ) -> String? {
    (search, found) = (nil, (state.text, at))
    let above = UInt64(max(0, rows / 3) + 1)
    if !seen.contains(at) { top = try? Self.start(above, before: at + 1, file) }
    _ = part(rows: rows, columns: .max)
    guard state.isAround else { return nil }
    return state.isBack ? "search continued from the end" : "search continued from the beginning"
  }
}

// MARK: Drawing

extension LogWindow {
  /// The visible lines, and where they end, unless that is the end of the log.
  mutating func part(rows: Int, columns: Int) -> (lines: [Line], place: String?) {
    guard let file = try? File.open(path), let size = try? file.size(),
      let last = try? Self.start(UInt64(rows), before: size, file),
      let (start, bytes) = try? Self.read(from: min(top ?? last, last), file)
    else { return ([], nil) }
    var lines: [Line] = []
    var place = start
    let newline = UInt8(ascii: "\n")
    for line in bytes.split(
      separator: newline, maxSplits: rows, omittingEmptySubsequences: false
    ).prefix(rows) {
      // After the last newline there is no line.
      guard !line.isEmpty || place < start + UInt64(bytes.count) else { break }
      lines.append(drawn(line, from: place, columns: columns))
      place += UInt64(line.count) + 1
    }
    place = min(place, start + UInt64(bytes.count))
    seen = start..<max(start, place)
    guard place < size else { return (lines, nil) }
    let share = UInt64(Double(place) / Double(size) * 100)
    return (lines, "to \(share) % of \(QuantityText.bytes(size))")
  }

  /// The searched text is marked; in the line that was found it is visible, however far to the right.
  private func drawn(_ line: ArraySlice<UInt8>, from place: UInt64, columns: Int) -> Line {
    let drawn = LogReader.line(line)
    guard let found else { return drawn }
    let marked = drawn.marking(found.text)
    guard let at = found.at, place <= at, at < place + UInt64(line.count) + 1 else { return marked }
    return marked.shifted(columns: columns)
  }
}
