import Foundation

/// A document of the repository, for tests that compare it with the code.
package struct Document {
  package let text: String
  private let lines: [Substring]

  /// `path`: relative to the package's folder.
  package init(_ path: String) throws {
    text = try String(contentsOfFile: "\(BuiltProducts.packageRoot)/\(path)", encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The first table below the line that starts with `start`: its rows without the head, cells trimmed;
  /// empty where there is no such line.
  package func table(below start: String) -> [[String]] {
    guard let line = lines.firstIndex(where: { $0.hasPrefix(start) }) else { return [] }
    let table = lines[line...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    return table.dropFirst(2).map { row in
      row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// One column of that table.
  package func column(_ index: Int, below start: String) -> [String] {
    table(below: start).map { $0[index] }
  }

  /// The texts between backticks.
  package static func code(in text: String) -> [String] {
    text.matches(of: /`([^`]+)`/).map { String($0.1) }
  }
}
