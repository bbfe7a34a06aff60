import Foundation

/// The pages that a comment or a page refers to must be in the repository, so that a reader can follow.
enum CitationRule {
  /// `paths`: every file of the repository.
  static func findings(in file: SourceFile, among paths: [String]) -> [Finding] {
    places(in: file).flatMap { line, text -> [Finding] in
      guard text.contains(".md") || text.contains("§") else { return [] }
      let pages = text.matches(of: /[A-Za-z0-9_.\/-]*[A-Za-z0-9_-]\.md\b/).map { String($0.0) }
      var found = pages.filter { !isThere($0, from: file.path, among: paths) }.map {
        file.finding(line, "\($0) is no page of this repository")
      }
      if text.contains("§") {
        found.append(file.finding(line, "name the heading: numbers of sections change"))
      }
      return found
    }
  }

  /// The comments of Swift, C and scripts; all of a page.
  private static func places(in file: SourceFile) -> [(line: Int, text: String)] {
    if file.isSwift { return file.comments.map { ($0.line, $0.text) } }
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { number, line in
      let start = line.drop { $0 == " " }
      let isSaid = file.path.hasSuffix(".md") || start.hasPrefix("#") || start.hasPrefix("//")
      return isSaid ? (number + 1, String(line)) : nil
    }
  }

  /// A path from the package's folder or from the file's own; a name alone is that of any page.
  private static func isThere(_ page: String, from file: String, among paths: [String]) -> Bool {
    if paths.contains(page) { return true }
    guard page.contains("/") else { return paths.contains { $0.hasSuffix("/" + page) } }
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    // Only an absolute path is freed of its dots.
    let path = NSString(string: "/\(folder)/\(page)").standardizingPath
    return paths.contains(String(path.dropFirst()))
  }
}
