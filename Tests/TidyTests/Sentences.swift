/// The texts of the programs and the library, taken from the strings in their sources.
///
/// A sentence is a string of at least three words, with parts joined by `+` as one and … for each
/// interpolation. SQL statements are left out, because only the store reads them.
struct Sentences {
  /// One sentence, and the code of the error or refusal that carries it; nil for all others.
  struct Sentence: Hashable {
    var code: String?
    var text: String

    /// A line: the code, padded, and the text.
    var line: String {
      let code = code ?? "-"
      return code + String(repeating: " ", count: max(1, 24 - code.count)) + text
    }
  }

  private(set) var byArea: [String: Set<Sentence>] = [:]

  init(of files: [SourceFile]) {
    for file in files where file.isSwift && !file.path.hasPrefix("Tests/") {
      byArea[file.area, default: []].formUnion(Self.sentences(in: file.tokens))
    }
  }

  /// A heading for each folder and its sentences below, ascending, so that a file can be moved and a line
  /// of code reformatted without a change.
  var text: String {
    byArea.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { area, sentences in
      let lines = sentences.map(\.line).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return "# \(area)\n\n" + lines.joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  static func sentences(in tokens: [SwiftScanner.Token]) -> [Sentence] {
    var added: Set<Int> = []
    return tokens.indices.compactMap { index in
      guard var text = tokens[index].content, !added.contains(index) else { return nil }
      var last = index
      while let next = continuation(after: last, in: tokens) {
        text += tokens[next].content ?? ""
        added.insert(next)
        last = next
      }
      return isSentence(text)
        ? Sentence(code: code(before: index, in: tokens), text: shown(text)) : nil
    }
  }

  /// The string that `+` adds to the one at `index`.
  private static func continuation(after index: Int, in tokens: [SwiftScanner.Token]) -> Int? {
    let plus = index + 1 + tokens[index].nested
    guard plus + 1 < tokens.count, tokens[plus].text == "+", tokens[plus + 1].content != nil
    else { return nil }
    return plus + 1
  }

  /// The case that is given before a string, as in `WireError(.usage, "…")`.
  private static func code(before index: Int, in tokens: [SwiftScanner.Token]) -> String? {
    guard index >= 4, tokens[index - 1].text == ",", tokens[index - 2].isWord,
      tokens[index - 3].text == ".", tokens[index - 4].text == "("
    else { return nil }
    return tokens[index - 2].text
  }

  private static func isSentence(_ text: String) -> Bool {
    let words = text.split { $0 == " " || $0 == "\n" }
    let statement = [
      "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "PRAGMA", "WITH", "AND", "FROM",
    ]
    guard let first = words.first, !statement.contains(String(first)) else { return false }
    return words.count { $0.contains(where: \.isLetter) } >= 3
  }

  /// On one line.
  private static func shown(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ⏎ ")
  }
}
