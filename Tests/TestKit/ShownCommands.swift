/// The commands in the code blocks of a document.
package struct ShownCommands {
  /// Each command line that calls `jobrun`, from that word to the end of the command.
  package let lines: [String]
  /// The blocks for a shell: those with the word `sh` behind their fence.
  package let scripts: [String]

  package init(in page: String) {
    var language: Substring?
    var lines: [String] = []
    var scripts: [String] = []
    var block: [Substring] = []
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if language == "sh" { scripts.append(block.joined(separator: "\n")) }
        language = language == nil ? line.dropFirst(3) : nil
        block = []
      } else if language == "sh" || language == "" {
        block.append(line)
        if let command = Self.command(in: line) { lines.append(command) }
      }
    }
    self.lines = lines
    self.scripts = scripts
  }

  /// The command from `jobrun` on, where that is its first word.
  private static func command(in line: Substring) -> String? {
    let starts = ["jobrun ", "| jobrun ", "$(jobrun "]
    for start in starts {
      guard let range = line.firstRange(of: start),
        start != "jobrun " || range.lowerBound == line.startIndex
      else { continue }
      let words = line[range.lowerBound...].drop {
        $0 == "|" || $0 == " " || $0 == "$" || $0 == "("
      }
      return String(start == "$(jobrun " ? words.prefix { $0 != ")" } : words)
    }
    return nil
  }

  /// The words of a command as a shell would split them, up to a redirection or an operator.
  package static func words(of command: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in command {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let last = word { words.append(last) }
    return Array(words.prefix { ![">", ">>", "|", "||", "&&"].contains($0) })
  }
}
