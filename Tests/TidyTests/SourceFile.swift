/// A file of the repository as the rules see it.
struct SourceFile {
  /// Relative to the package's folder.
  let path: String
  let text: String
  /// Empty unless it is Swift.
  let tokens: [SwiftScanner.Token]
  let comments: [SwiftScanner.Comment]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    let scanner = SwiftScanner(path.hasSuffix(".swift") ? text : "")
    tokens = scanner.tokens
    comments = scanner.comments
  }

  var isSwift: Bool { path.hasSuffix(".swift") }

  /// The folder that decides which rules apply: `Sources/JobCore`, `Tests/TidyTests`, `jobs/export`.
  var area: String {
    path.split(separator: "/").prefix(2).joined(separator: "/")
  }

  /// One number for each place where `sequence` stands, blanks and line ends between not counting:
  /// the offset of its first token.
  func offsets(of sequence: [String]) -> [Int] {
    guard let first = sequence.first, tokens.count >= sequence.count else { return [] }
    return (0...(tokens.count - sequence.count)).filter { start in
      tokens[start].text == first
        && zip(tokens[start...], sequence).allSatisfy { $0.text == $1 }
    }
  }

  func finding(_ line: Int, _ message: String) -> Finding {
    Finding(path: path, line: line, message: message)
  }
}

/// A breach of a rule, shown as compilers show theirs.
struct Finding: Hashable, CustomStringConvertible {
  var path: String
  /// From 1.
  var line: Int
  var message: String

  var description: String { "\(path):\(line): \(message)" }
}

extension [Finding] {
  /// The output of a failed test: one finding per line.
  var report: String {
    "\n" + map(\.description).joined(separator: "\n")
  }
}
