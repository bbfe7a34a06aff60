/// A page of the manual as a terminal of 80 columns shows it.
extension Manual {
  /// Columns by which code is indented.
  private static let indent = "  "

  static func text(of page: Markdown) -> String {
    var lines: [String] = []
    var previous: Markdown.Block?
    for block in page.blocks {
      if let before = previous, !isTight(before, block) { lines.append("") }
      lines += Self.lines(of: block)
      previous = block
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Items of a list follow each other without a blank line.
  private static func isTight(_ before: Markdown.Block, _ block: Markdown.Block) -> Bool {
    if case .item = before, case .item = block { return true }
    return false
  }

  private static func lines(of block: Markdown.Block) -> [String] {
    switch block {
    case .heading(let level, let text):
      [level == 2 ? plain(text).uppercased() : plain(text)]
    case .paragraph(let text): Help.wrapped(plain(text))
    case .item(let text): Help.wrapped(plain(text), first: "- ", indent: 2)
    case .code(let code): code.map { $0.isEmpty ? "" : indent + $0 }
    case .table(let rows): table(rows)
    }
  }

  /// A text without its marks; a link to another page becomes the command that shows it.
  static func plain(_ text: String) -> String {
    Markdown.spans(of: text).reduce(into: "") { line, span in
      switch span {
      case .text(let text), .code(let text), .strong(let text), .emphasis(let text): line += text
      case .link(let label, let target): line += label + reference(to: target, "jobrun help ")
      }
    }
  }

  /// The text in parentheses after a link's words: the page, or an address.
  static func reference(to target: String, _ command: String) -> String {
    let file = target.prefix { $0 != "#" }
    if let topic = Topic(rawValue: String(file.dropLast(3))) {
      return " (\(command)\(topic.rawValue))"
    }
    return target.hasPrefix("https:") ? " (\(target))" : ""
  }

  /// Two columns as in the help, more side by side, each row wrapped within its columns.
  static func table(_ rows: [[String]], width: Int = Help.width) -> [String] {
    let rows = rows.map { $0.map(plain) }
    guard let head = rows.first else { return [] }
    let widths = columnWidths(rows, within: width)
    var lines: [String] = []
    for (place, row) in rows.enumerated() {
      if place == 0, row.allSatisfy({ $0.isEmpty }) { continue }
      let cells = row.enumerated().map { wrapped($1, within: widths[$0]) }
      for line in 0..<(cells.map { $0.count }.max() ?? 0) {
        lines.append(joined(cells.map { $0.count > line ? $0[line] : "" }, widths))
      }
      if place == 0 {
        lines.append(joined(head.indices.map { String(repeating: "-", count: widths[$0]) }, widths))
      }
    }
    return lines
  }

  private static let gap = 2

  /// The widest column shrinks until all fit.
  private static func columnWidths(_ rows: [[String]], within width: Int) -> [Int] {
    let columns = rows.map { $0.count }.max() ?? 0
    var widths = (0..<columns).map { column in
      rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
    }
    while widths.reduce(0, +) + gap * (columns - 1) + indent.count > width,
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 1
    {
      widths[widest] -= 1
    }
    return widths
  }

  /// As `Help.wrapped`, for a column; a word that is wider is cut.
  private static func wrapped(_ text: String, within width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var word = String(word)
      if !line.isEmpty, line.count + 1 + word.count <= width {
        line += " " + word
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while word.count > width {
        lines.append(String(word.prefix(width)))
        word = String(word.dropFirst(width))
      }
      line = word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func joined(_ cells: [String], _ widths: [Int]) -> String {
    var line = indent
    for (place, cell) in cells.enumerated() {
      line += cell
      guard cells[(place + 1)...].contains(where: { !$0.isEmpty }) else { break }
      line += String(repeating: " ", count: widths[place] - cell.count + gap)
    }
    return line
  }
}
