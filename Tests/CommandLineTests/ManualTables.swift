import JobWire

@testable import jobrun

/// The tables of the manual that follow from tables of the command, as Markdown.
///
/// A page has each between `<!-- table: NAME -->` and `<!-- end -->`.
enum ManualTables {
  private static let end = "<!-- end -->"

  /// The page with all of its tables as they should be.
  static func current(_ page: String) throws -> String {
    var lines: [Substring] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == end { isInside = false }
      if !isInside { lines.append(line) }
      guard let match = line.wholeMatch(of: /<!-- table: (.+) -->/) else { continue }
      lines.append(Substring(try table(String(match.1))))
      isInside = true
    }
    return lines.joined(separator: "\n")
  }

  private struct Unknown: Error {
    var name: String
  }

  private static func table(_ name: String) throws -> String {
    switch name {
    case "exit codes": markdown(ExitGuide.entries, "code")
    case "files": markdown(EnvironmentGuide.files, "path")
    case "settings": markdown(SettingsGuide.entries, "key")
    case "environment": markdown(EnvironmentGuide.ours, "variable")
    case "job variables": markdown(EnvironmentGuide.ofJobs, "variable")
    case "end variables": markdown(EnvironmentGuide.ofEndCommands, "variable")
    case "job": markdown(JSONGuide.job, "field")
    case "progress": markdown(JSONGuide.progress, "field")
    case "feed": markdown(JSONGuide.feed, "field")
    case "flags run": markdown(Verb.named(.run)?.flags.map { ($0.usage, $0.summary) } ?? [], "flag")
    default: throw Unknown(name: name)
    }
  }

  private static func markdown(_ entries: [JSONGuide.Entry], _ heading: String) -> String {
    let rows = entries.map { "| `\(escaped($0.name))` | \(escaped($0.meaning)) |" }
    return (["| \(heading) | meaning |", "|---|---|"] + rows).joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("*", with: "\\*").replacing("<", with: "\\<")
  }
}
