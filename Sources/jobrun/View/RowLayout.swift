/// Lays out the parts of a live line: essential parts stay, the others shrink and then are dropped.
///
/// From wide to narrow: the subtitle shrinks and is dropped, then the rate is dropped, the bar shrinks, the
/// title does, texts get shorter, a percentage beside an equivalent amount is dropped, then the bar, then the
/// time, and the amount last of all.
struct RowLayout {
  /// The kind of a part; decides its style and how it shrinks.
  enum Role: Hashable {
    case title, bar, percent, amount, rate, time, subtitle, reason, blank
    /// The current state; shrinks only in favour of a question.
    case state(Line.Style)
    /// A question; never dropped.
    case question
  }

  /// The short form of a part, and the columns that are reserved for it.
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
    /// As wide as in the other rows of a table.
    var isFixed = false
  }

  private static let gap = 2
  private static let barWidest = 24
  private static let barUsual = 14
  private static let barNarrow = 10
  private static let barNarrowest = 5
  private static let subtitleUsual = 32
  private static let titleUsual = 20
  private static let titleNarrow = 9
  private static let titleNarrowest = 5
  private static let textNarrowest = 8

  let width: Int
  private var parts: [Part] = []

  init(width: Int) {
    self.width = width
  }

  /// Appends a part; an empty text adds nothing.
  ///
  /// `width`: columns that are reserved for it, so that later parts do not move with its digits.
  mutating func add(_ text: String, _ role: Role, width: Int = 0, short: Short? = nil) {
    guard !text.isEmpty else { return }
    parts.append(
      Part(role: role, text: text, width: max(width, TextWidth.of(text)), short: short))
  }

  /// `width`: its width in every row of a table; nil = a suitable width.
  mutating func addBar(completed: UInt64, total: UInt64, width: Int? = nil) {
    guard width != 0 else { return }
    parts.append(
      Part(
        role: .bar, text: "", width: width ?? Self.barWidest, completed: completed, total: total,
        isFixed: width != nil))
  }

  /// Keeps columns free that other rows of a table have something in.
  mutating func addBlank(width: Int) {
    if width > 0 { parts.append(Part(role: .blank, text: " ", width: width)) }
  }

  /// The finished line, at most `width` columns wide.
  func line() -> Line { settled().rendered() }

  private func settled() -> RowLayout {
    var layout = self
    layout.settleBar()
    layout.shrink(.subtitle, to: Self.textNarrowest)
    layout.drop([.subtitle, .rate])
    layout.shrink(.bar, to: Self.barNarrow)
    if layout.isTableRow {
      layout.makeRoomForQuestion()
      layout.abbreviate()
    }
    layout.shrink(.title, to: Self.titleUsual)
    layout.abbreviate()
    layout.shrink(.bar, to: Self.barNarrowest)
    if layout.hasRoomForAmount { layout.drop([.percent]) }
    layout.shrink(.title, to: Self.titleNarrow)
    if layout.hasRoomForAmount { layout.drop([.bar]) }
    layout.drop([.blank])
    layout.shrink(.reason, to: Self.textNarrowest)
    layout.shrink(.title, to: Self.titleNarrowest)
    layout.drop([.time, .amount, .bar, .reason])
    layout.makeRoomForQuestion()
    if layout.parts.contains(where: { $0.role.isState }) { layout.drop([.percent]) }
    layout.shrink(.title, to: 1)
    // Dropped parts may have left space.
    layout.grow(.bar, like: self)
    layout.grow(.title, like: self)
    return layout
  }

  /// Sets the bar's length independently of the subtitle's: otherwise it would jump with every file's name.
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
    // In a table the amount stands behind the percentage.
    if !isTableRow { drop([.percent]) }
    drop(parts.map { $0.role }.filter { $0.isState })
    drop([.percent])
  }

  /// Whether its title and its bar have fixed columns.
  private var isTableRow: Bool { parts.contains { $0.isFixed } }

  /// Whether the amount can stay, which is more informative than a percentage and a bar.
  private var hasRoomForAmount: Bool {
    guard let amount = parts.first(where: { $0.role == .amount }) else { return false }
    return Self.titleNarrowest + Self.gap + amount.width <= width
  }

  /// Columns missing; 0 or less when all fits.
  private var excess: Int {
    parts.reduce(0) { $0 + $1.width } + Self.gap * max(0, parts.count - 1) - width
  }

  private mutating func shrink(_ role: Role, to narrowest: Int) {
    guard excess > 0, let index = parts.firstIndex(where: { $0.role == role }),
      !parts[index].isFixed
    else { return }
    parts[index].width = max(min(narrowest, parts[index].width), parts[index].width - excess)
  }

  private mutating func grow(_ role: Role, like other: RowLayout) {
    guard excess < 0, let index = parts.firstIndex(where: { $0.role == role }),
      let wanted = other.parts.first(where: { $0.role == role })?.width
    else { return }
    let usual = role == .bar ? max(parts[index].width, Self.barNarrow) : wanted
    parts[index].width = min(wanted, usual, parts[index].width - excess)
  }

  /// Uses the short forms of texts.
  private mutating func abbreviate() {
    guard excess > 0 else { return }
    for index in parts.indices {
      guard let short = parts[index].short else { continue }
      parts[index].text = short.text
      parts[index].width = max(short.width, TextWidth.of(short.text))
    }
    parts.removeAll { $0.text.isEmpty && $0.role != .bar }
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
    // The end of a path is more informative than its beginning.
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
    case .bar, .amount, .time, .reason, .blank: .plain
    case .state(let style): style
    }
  }

  fileprivate var isState: Bool {
    if case .state = self { return true }
    return false
  }
}
