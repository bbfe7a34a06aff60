/// How the progress of a program that does not report by its page is seen from outside.
package struct Observation: Hashable, Sendable {
  package enum Recognition: Hashable, Sendable {
    /// It is not looked for: the page alone counts.
    case none
    /// By the known forms in the output, otherwise by the files that are read and written.
    case auto
    /// By the commands that make prints: the number of expected commands (from `make -n`), and their first
    /// words.
    case make(commands: UInt64, words: [String])
    /// By this extended regular expression in the output: one group is a percentage, two are n and m.
    case pattern(String)
  }

  /// The size of a terminal, in characters.
  package struct TerminalSize: Hashable, Sendable {
    package static let usual = TerminalSize(columns: 80, rows: 24)

    package var columns: UInt16
    package var rows: UInt16

    package init(columns: UInt16, rows: UInt16) {
      self.columns = columns
      self.rows = rows
    }

    /// Reads `80x24`; nil for other texts, and for a terminal without room.
    package init?(text: some StringProtocol) {
      let parts = text.split(separator: "x", omittingEmptySubsequences: false)
      guard parts.count == 2, let columns = UInt16(parts[0]), let rows = UInt16(parts[1]),
        columns > 0, rows > 0
      else { return nil }
      self.init(columns: columns, rows: rows)
    }

    /// `80x24`.
    package var text: String { "\(columns)x\(rows)" }
  }

  package var recognition = Recognition.none
  /// The program gets its own terminal of this size; nil = none.
  package var terminal: TerminalSize?
  /// Recognised progress may count as stalled: a person asked for that.
  package var canStall = false

  package init() {}
}

// As it is stored and sent: words, and last the pattern.
extension Observation {
  /// `none`, `auto stalls 80x24`, `make /120 cc ar`, `pattern 80x24 /([0-9]+) of ([0-9]+)`.
  package var text: String {
    let settings = (canStall ? " stalls" : "") + (terminal.map { " " + $0.text } ?? "")
    return switch recognition {
    case .none: "none" + settings
    case .auto: "auto" + settings
    case .make(let commands, let words):
      "make\(settings) /\(commands) \(words.joined(separator: " "))"
    case .pattern(let pattern): "pattern\(settings) /\(pattern)"
    }
  }

  /// Parses `text`; nil if it has another form.
  package init?(text: String) {
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    let words = text[..<slash].split(separator: " ")
    switch (words.first, slash < text.endIndex) {
    case ("none", false): recognition = .none
    case ("auto", false): recognition = .auto
    case ("pattern", true): recognition = .pattern(String(text[slash...].dropFirst()))
    case ("make", true):
      let plan = text[slash...].dropFirst().split(separator: " ")
      guard let commands = plan.first.flatMap({ UInt64($0) }) else { return nil }
      recognition = .make(commands: commands, words: plan.dropFirst().map { String($0) })
    default: return nil
    }
    for word in words.dropFirst() {
      if word == "stalls" {
        canStall = true
      } else if let size = TerminalSize(text: word) {
        terminal = size
      } else {
        return nil
      }
    }
  }
}
