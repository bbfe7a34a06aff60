/// Lays the parts of a live line out: what must be seen stays, the rest shrinks and then goes.
///
/// From wide to narrow: the subtitle shrinks and goes, then the rate goes, the bar shrinks, the time
/// gets shorter, the amount goes, the bar shrinks more, the time goes, then a reason shrinks, then the
/// title does; in the end the bar goes.
struct RowLayout {
  /// What a part is; decides its style and how it gives way.
  enum Role: Hashable {
    case title, bar, percent, amount, rate, time, subtitle, reason
    /// What is going on; gives way only to a question.
    case state(Line.Style)
    /// What a person is asked; never left out.
    case question
  }

  /// What a part becomes where there is less room, and the columns that are kept for that.
  typealias Short = (text: String, width: Int)

  private struct Part {
    var role: Role
    var text: String
    var width: Int
    /// The same in fewer words.
    var short: Short?
    /// Counts of a bar.
    var completed: UInt64 = 0
    var total: UInt64 = 0
  }

  private static let gap = 2
  private static let barWidest = 24
  private static let barUsual = 14
  private static let barNarrow = 10
  private static let barNarrowest = 5
  private static let subtitleUsual = 32
  private static let titleNarrowest = 5
  private static let textNarrowest = 8

  let width: Int
  private var parts: [Part] = []

  init(width: Int) {
    self.width = width
  }

  /// Adds a part behind the others; an empty text adds nothing.
  ///
  /// `width`: columns that are kept for it, so that what stands behind it does not move with its
  /// digits.
  mutating func add(_ text: String, _ role: Role, width: Int = 0, short: Short? = nil) {
    guard !text.isEmpty else { return }
    parts.append(
      Part(role: role, text: text, width: max(width, TextWidth.of(text)), short: short))
  }

  /// `widest`: the most columns that it may take; nil = as many as are good for it.
  mutating func addBar(completed: UInt64, total: UInt64, widest: Int? = nil) {
    parts.append(
      Part(
        role: .bar, text: "", width: min(Self.barWidest, widest ?? Self.barWidest),
        completed: completed, total: total))
  }

  /// The columns that the bar gets; nil when there is none.
  var barWidth: Int? { settled().parts.first { $0.role == .bar }?.width }

  /// The finished line, at most `width` columns wide.
  func line() -> Line { settled().rendered() }

  private func settled() -> RowLayout {
    var layout = self
    layout.settleBar()
    layout.shrink(.subtitle, to: Self.textNarrowest)
    layout.drop([.subtitle, .rate])
    layout.shrink(.bar, to: Self.barNarrow)
    layout.abbreviate()
    layout.drop([.amount])
    layout.shrink(.bar, to: Self.barNarrowest)
    layout.drop([.time])
    layout.shrink(.reason, to: Self.textNarrowest)
    layout.shrink(.title, to: Self.titleNarrowest)
    layout.drop([.bar, .reason])
    layout.makeRoomForQuestion()
    if layout.parts.contains(where: { $0.role.isState }) { layout.drop([.percent]) }
    layout.shrink(.title, to: 1)
    return layout
  }

  /// Gives the bar its length whatever the subtitle's is: one that followed every file's name would
  /// jump.
  private mutating func settleBar() {
    guard let subtitle = parts.firstIndex(where: { $0.role == .subtitle }) else {
      return shrink(.bar, to: Self.barUsual)
    }
    let wanted = parts[subtitle].width
    parts[subtitle].width = Self.subtitleUsual
    shrink(.bar, to: Self.barUsual)
    parts[subtitle].width = wanted
  }

  private mutating func makeRoomForQuestion() {
    guard parts.contains(where: { $0.role == .question }) else { return }
    drop([.percent])
    drop(parts.map { $0.role }.filter { $0.isState })
  }

  /// Columns missing; 0 or less when all fits.
  private var excess: Int {
    parts.reduce(0) { $0 + $1.width } + Self.gap * max(0, parts.count - 1) - width
  }

  private mutating func shrink(_ role: Role, to narrowest: Int) {
    guard excess > 0, let index = parts.firstIndex(where: { $0.role == role }) else { return }
    parts[index].width = max(min(narrowest, parts[index].width), parts[index].width - excess)
  }

  /// Says in fewer words what can be.
  private mutating func abbreviate() {
    guard excess > 0 else { return }
    for index in parts.indices {
      guard let short = parts[index].short else { continue }
      parts[index].text = short.text
      parts[index].width = max(short.width, TextWidth.of(short.text))
    }
  }

  private mutating func drop(_ roles: [Role]) {
    for role in roles where excess > 0 {
      parts.removeAll { $0.role == role }
    }
  }

  private func rendered() -> Line {
    var line = Line()
    // Where the next part begins.
    var column = 0
    for part in parts {
      guard column < width else { break }
      if column > 0 { line.append(String(repeating: " ", count: column - line.width)) }
      for piece in pieces(of: part, width: min(width - column, part.width)) {
        line.append(piece.text, piece.style)
      }
      column += part.width + Self.gap
    }
    return line
  }

  private func pieces(of part: Part, width: Int) -> [Line.Piece] {
    if part.role == .bar {
      return ProgressBar.pieces(completed: part.completed, total: part.total, width: width)
    }
    // The end of a path says more than its beginning.
    let keepsEnd = part.role == .subtitle && part.text.contains("/")
    let text =
      keepsEnd
      ? TextWidth.end(of: part.text, fitting: width)
      : TextWidth.start(of: part.text, fitting: width)
    return [Line.Piece(text: text, style: part.role.style)]
  }
}

extension RowLayout.Role {
  fileprivate var style: Line.Style {
    switch self {
    case .title, .percent, .question: .strong
    case .subtitle, .rate: .faint
    case .bar, .amount, .time, .reason: .plain
    case .state(let style): style
    }
  }

  fileprivate var isState: Bool {
    if case .state = self { return true }
    return false
  }
}
