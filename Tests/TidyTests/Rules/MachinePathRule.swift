/// The repository must not contain paths of the machine on which it was written.
enum MachinePathRule {
  /// Top-level folders of development machines; assembled here, or this file would break its rule.
  static let folders = ["work", "root", "farm", "Users"].map { "/" + $0 + "/" }

  static func findings(in file: SourceFile) -> [Finding] {
    guard folders.contains(where: file.text.contains) else { return [] }
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { number, line in
      folders.filter { startsPath($0, in: String(line)) }.map {
        file.finding(number + 1, "names a folder of one machine: \($0)")
      }
    }
  }

  /// Whether `folder` stands where a path begins: after a blank, a quote and the like.
  private static func startsPath(_ folder: String, in line: String) -> Bool {
    line.ranges(of: folder).contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && !"._-)}/".contains(before)
    }
  }
}
