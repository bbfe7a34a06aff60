/// Every function that reads like a test is one: without `@Test` it would silently never run.
enum TestAttributeRule {
  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, file.area.hasPrefix("Tests/"), file.area.hasSuffix("Tests") else {
      return []
    }
    return file.offsets(of: ["func"]).compactMap { offset in
      guard offset + 1 < file.tokens.count else { return nil }
      let name = file.tokens[offset + 1]
      let readsLikeTest = name.text.hasPrefix("`") || name.text.hasPrefix("test")
      guard readsLikeTest, !hasTestAttribute(offset, in: file.tokens) else { return nil }
      return file.finding(name.line, "\(name.text) has no @Test, so it never runs")
    }
  }

  /// Searches backwards over the declaration's own attributes, to the end of the code before it.
  private static func hasTestAttribute(_ offset: Int, in tokens: [SwiftScanner.Token]) -> Bool {
    var depth = 0
    for index in tokens.indices[..<offset].reversed() {
      switch tokens[index].text {
      case ")", "]": depth += 1
      case "(", "[": depth -= 1
      case "{" where depth == 0, "}" where depth == 0: return false
      case "Test" where depth == 0: return index > 0 && tokens[index - 1].text == "@"
      default: break
      }
    }
    return false
  }
}
