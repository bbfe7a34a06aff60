import JobWire

/// One line of a terminal as a value: texts with a meaning, not yet with escape sequences.
struct Line: Hashable, Sendable {
  /// The meaning of a piece of text; its colour is chosen in one place.
  enum Style: Hashable, Sendable {
    case plain, strong, faint, good, warning, bad, bar
    /// What was searched for.
    case found
    /// As a job has coloured its own output: a foreground colour of SGR, 0 = the terminal's.
    case output(colour: UInt8, isStrong: Bool)
  }

  /// A piece of text in one style.
  struct Piece: Hashable, Sendable {
    var text: String
    var style: Style
  }

  private(set) var pieces: [Piece] = []

  init() {}

  init(_ text: String, _ style: Style = .plain) {
    append(text, style)
  }

  mutating func append(_ text: String, _ style: Style = .plain) {
    if !text.isEmpty { pieces.append(Piece(text: text, style: style)) }
  }

  /// Columns it takes.
  var width: Int { pieces.reduce(0) { $0 + TextWidth.of($1.text) } }

  /// Its text without any style.
  var text: String { pieces.map { $0.text }.joined() }

  /// The beginning that fits, with `…` in place of the rest.
  func cut(to width: Int?) -> Line {
    guard let width, self.width > width else { return self }
    var line = Line()
    for piece in pieces {
      let room = width - line.width
      guard room > 0 else { break }
      line.append(TextWidth.start(of: piece.text, fitting: room), piece.style)
      if TextWidth.of(piece.text) > room { break }
    }
    return line
  }

  /// The bytes to write, with SGR sequences (ECMA-48 8.3.117) when `colour` is on.
  func rendered(colour: Bool) -> String {
    pieces.map { piece in
      let text = SafeText.shown(piece.text)
      guard colour, let code = piece.style.code else { return text }
      return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }.joined()
  }
}

extension Line.Style {
  /// Parameters of the SGR sequence; nil for plain text.
  ///
  /// Only the eight colours that every palette has made readable.
  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .strong: "1"
    case .faint: "2"
    case .good: "32"
    case .warning: "33"
    case .bad: "31"
    case .bar: "36"
    case .found: "7"
    case .output(let colour, let isStrong): (isStrong ? "1;" : "") + "\(colour == 0 ? 39 : colour)"
    }
  }
}
