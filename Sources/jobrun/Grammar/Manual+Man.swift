import JobWire

/// A page of the manual for `man jobrun-TOPIC`; see man(7) for the requests.
extension Manual {
  /// The columns that man(1) leaves between its margins, of 80.
  private static let manWidth = 72

  static func man(_ topic: Topic, _ page: Markdown) -> String {
    let name = "jobrun-\(topic.rawValue)"
    var lines = [
      ".TH \(ManPage.escaped(name.uppercased())) 1 \"\" \"jobrun \(Version.text)\" \"User Commands\"",
      ".SH NAME", "\(ManPage.escaped(name)) \\- \(ManPage.escaped(page.title))",
      ".SH DESCRIPTION",
    ]
    for block in page.blocks { lines += requests(for: block) }
    lines += [".SH SEE ALSO", references(but: topic)]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The pages of the manual, as the last section of a page names them.
  static func references(but topic: Topic? = nil) -> String {
    let others = Topic.allCases.filter { $0 != topic }.map {
      "\\fBjobrun\\-\($0.rawValue)\\fR(1)"
    }
    return ((topic == nil ? [] : ["\\fBjobrun\\fR(1)"]) + others).joined(separator: ", ")
  }

  private static func requests(for block: Markdown.Block) -> [String] {
    switch block {
    case .heading(1, _): []
    case .heading(2, let text): [".SH " + ManPage.escaped(plain(text).uppercased())]
    case .heading(_, let text): [".SS " + ManPage.escaped(plain(text))]
    case .paragraph(let text): [".PP", line(text)]
    case .item(let text): [".IP \\(bu 2", line(text)]
    case .code(let code): verbatim(code)
    case .table(let rows) where rows.allSatisfy { $0.count == 2 }:
      rows.dropFirst().flatMap { [".TP", ".B \(ManPage.escaped(plain($0[0])))", line($0[1])] }
    case .table(let rows): verbatim(table(rows, width: manWidth))
    }
  }

  private static func verbatim(_ lines: [String]) -> [String] {
    [".PP", ".nf", ".RS 4"] + lines.map { ManPage.escaped($0) } + [".RE", ".fi"]
  }

  private static func line(_ text: String) -> String {
    let line = Markdown.spans(of: text).reduce(into: "") { line, span in
      switch span {
      case .text(let text): line += ManPage.literal(text)
      case .code(let text), .strong(let text): line += "\\fB\(ManPage.literal(text))\\fR"
      case .emphasis(let text): line += "\\fI\(ManPage.literal(text))\\fR"
      case .link(let label, let target):
        line += ManPage.literal(plain(label)) + reference(to: target)
      }
    }
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  private static func reference(to target: String) -> String {
    let file = target.prefix { $0 != "#" }
    guard let topic = Topic(rawValue: String(file.dropLast(3))) else {
      return ManPage.literal(reference(to: target, ""))
    }
    return " (\\fBjobrun\\-\(topic.rawValue)\\fR(1))"
  }
}
