/// How long a file and a function may be.
enum SizeRule {
  static let linesPerFile = 400
  static let linesPerFunction = 70
  /// Files that hold a generated table; none so far.
  static let exempt: Set<String> = []

  static func findings(in file: SourceFile) -> [Finding] {
    guard !exempt.contains(file.path) else { return [] }
    var found: [Finding] = []
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    if lines > linesPerFile {
      found.append(file.finding(1, "\(lines) lines; at most \(linesPerFile)"))
    }
    for function in functions(of: file) where function.lines > linesPerFunction {
      found.append(
        file.finding(
          function.firstLine,
          "\(function.name) has \(function.lines) lines; at most \(linesPerFunction)"))
    }
    return found
  }

  struct Function: Hashable {
    var name: String
    var firstLine: Int
    var lines: Int
  }

  /// Functions, initialisers and subscripts that have a body.
  static func functions(of file: SourceFile) -> [Function] {
    let tokens = file.tokens
    return tokens.indices.compactMap { start in
      guard ["func", "init", "deinit", "subscript"].contains(tokens[start].text),
        start == 0 || tokens[start - 1].text != ".",
        let open = bodyStart(after: start, in: tokens),
        let close = matchingBrace(of: open, in: tokens)
      else { return nil }
      let name = tokens[start].text == "func" ? tokens[start + 1].text : tokens[start].text
      return Function(
        name: name, firstLine: tokens[start].line,
        lines: tokens[close].line - tokens[start].line + 1)
    }
  }

  /// The brace that opens the body; nil for a requirement of a protocol.
  private static func bodyStart(after start: Int, in tokens: [SwiftScanner.Token]) -> Int? {
    let declarations: Set = [
      "func", "init", "deinit", "subscript", "var", "let", "case", "static", "typealias",
      "associatedtype", "mutating", "}", "import", "struct", "class", "enum", "extension",
    ]
    var depth = 0
    for index in (start + 1)..<tokens.count {
      switch tokens[index].text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{" where depth == 0: return index
      case let text where depth == 0 && index > start + 1 && declarations.contains(text):
        return nil
      default: break
      }
    }
    return nil
  }

  private static func matchingBrace(of open: Int, in tokens: [SwiftScanner.Token]) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].text == "{" { depth += 1 }
      if tokens[index].text == "}" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
