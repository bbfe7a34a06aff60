/// A parsed page of the manual: the subset of Markdown that the pages use.
///
/// Headings, paragraphs, list items, code blocks and tables; comments are left out. A test checks that the
/// pages use only this subset.
struct Markdown: Hashable {
  enum Block: Hashable {
    case heading(level: Int, String)
    case paragraph(String)
    case item(String)
    case code([String])
    /// The first row is the heading.
    case table([[String]])
  }

  /// A piece of a text that is set in one way.
  enum Interval: Hashable {
    case text(String)
    case code(String)
    case strong(String)
    case emphasis(String)
    case link(String, target: String)
  }

  private(set) var blocks: [Block] = []
  /// Lines of the paragraph or item that is being read.
  private var words: [String] = []
  private var isItem = false
  private var rows: [[String]] = []
  private var code: [String]?

  init(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      read(String(line))
    }
    close()
  }

  /// The heading of the page.
  var title: String {
    for case .heading(1, let title) in blocks { return title }
    return ""
  }

  private mutating func read(_ line: String) {
    if line.hasPrefix("```") {
      if let lines = code { blocks.append(.code(lines)) } else { close() }
      code = code == nil ? [] : nil
    } else if code != nil {
      code?.append(line)
    } else if line.hasPrefix("|") {
      if rows.isEmpty { close() }
      let cells = Self.cells(of: line)
      if !cells.allSatisfy({ $0.hasPrefix("--") }) { rows.append(cells) }
    } else if line.isEmpty || line.hasPrefix("<!--") {
      close()
    } else if line.hasPrefix("#") {
      close()
      let level = line.prefix { $0 == "#" }.count
      blocks.append(.heading(level: level, String(line.dropFirst(level + 1))))
    } else {
      if line.hasPrefix("- ") {
        close()
        isItem = true
      }
      words.append(String(isItem ? line.drop { $0 == "-" || $0 == " " } : line[...]))
    }
  }

  /// Ends the current block.
  private mutating func close() {
    if !rows.isEmpty { blocks.append(.table(rows)) }
    if !words.isEmpty {
      let text = words.joined(separator: " ")
      blocks.append(isItem ? .item(text) : .paragraph(text))
    }
    rows = []
    words = []
    isItem = false
  }

  /// The cells of a row; `\|` is a bar inside one.
  private static func cells(of line: String) -> [String] {
    var cells: [String] = []
    var cell = ""
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|", !isEscaped {
        cells.append(trimmed(cell))
        cell = ""
      } else if character == "\\", !isEscaped {
        isEscaped = true
        continue
      } else {
        if isEscaped, character != "|" { cell.append("\\") }
        cell.append(character)
      }
      isEscaped = false
    }
    return cells
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}

extension Markdown {
  /// A text cut where the way changes in which it is set.
  static func spans(of text: String) -> [Interval] {
    var spans: [Interval] = []
    var plain = ""
    var rest = Substring(text)
    while let character = rest.first {
      if let (span, end) = marked(rest) {
        if !plain.isEmpty { spans.append(.text(plain)) }
        plain = ""
        spans.append(span)
        rest = rest[end...]
      } else {
        plain.append(character)
        rest = rest.dropFirst()
      }
    }
    return plain.isEmpty ? spans : spans + [.text(plain)]
  }

  /// The marked span that begins here, and its end.
  private static func marked(_ text: Substring) -> (Interval, Substring.Index)? {
    if text.hasPrefix("`") {
      return enclosed(text, by: "`").map { (.code($0), $1) }
    }
    if text.hasPrefix("**") {
      return enclosed(text, by: "**").map { (.strong($0), $1) }
    }
    if text.hasPrefix("*") {
      return enclosed(text, by: "*").map { (.emphasis($0), $1) }
    }
    guard text.hasPrefix("["), let (label, end) = enclosed(text, by: "[", and: "]"),
      text[end...].hasPrefix("("), let (target, last) = enclosed(text[end...], by: "(", and: ")")
    else { return nil }
    return (.link(label, target: target), last)
  }

  private static func enclosed(
    _ text: Substring, by mark: String, and closing: String? = nil
  ) -> (String, Substring.Index)? {
    let closing = closing ?? mark
    let inside = text.dropFirst(mark.count)
    guard let first = inside.first, first != " " else { return nil }
    var rest = inside
    while !rest.isEmpty {
      if rest.hasPrefix(closing) {
        let end = rest.index(rest.startIndex, offsetBy: closing.count)
        return (String(inside[..<rest.startIndex]), end)
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}
