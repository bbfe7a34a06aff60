/// Lays the parts of a live line out: what must be seen stays, the rest shrinks and then goes.
///
/// From wide to narrow: the subtitle shrinks and goes, then the rate goes, the bar shrinks, the title
/// does, texts get shorter, the percentage goes where an amount says the same, then the bar, then the time,
/// and the amount last of all.
struct RowLayout {
  /// What a part is; decides its style and how it gives way.
  enum Role: Hashable {
    case title, bar, percent, amount, rate, time, subtitle, reason, blank
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

  /// Adds a part behind the others; an empty text adds nothing.
  ///
  /// `width`: columns that are kept for it, so that what stands behind it does not move with its
  /// digits.
  mutating func add(_ text: String, _ role: Role, width: Int = 0, short: Short? = nil) {
    guard !text.isEmpty else { return }
    parts.append(
      Part(role: role, text: text, width: max(width, TextWidth.of(text)), short: short))
  }

  /// `width`: the columns that it takes in every row of a table; nil = as many as are good for it.
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
    // What has gone may have left room.
    layout.grow(.bar, like: self)
    layout.grow(.title, like: self)
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
    // In a table the amount stands behind the percentage.
    if !isTableRow { drop([.percent]) }
    drop(parts.map { $0.role }.filter { $0.isState })
    drop([.percent])
  }

  /// Its title and its bar stand in columns.
  private var isTableRow: Bool { parts.contains { $0.isFixed } }

  /// Whether the amount can stay, which says more than a percentage and a bar.
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

  /// Says in fewer words what can be.
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
    case .bar, .amount, .time, .reason, .blank: .plain
    case .state(let style): style
    }
  }

  fileprivate var isState: Bool {
    if case .state = self { return true }
    return false
  }
}
