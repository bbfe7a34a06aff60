import JobCore
import JobWire

/// What a run shows: a table, and the whole story of everything that went wrong.
struct Report {
  let text: String
  let isClean: Bool

  /// Stories that are told in full; what comes after them is only named.
  private static let stories = 12

  init(_ torture: Torture) {
    let violations = torture.violations
    isClean = violations.isEmpty
    var lines = Self.table(torture)
    lines += Self.groups(violations).prefix(Self.stories).flatMap { Self.story(of: $0, torture) }
    for violation in Self.groups(violations).dropFirst(Self.stories).joined() {
      lines.append("also \(violation.kind.rawValue): \(violation.sentence)")
    }
    if !isClean {
      lines.append("\nthe runner's log ends with:")
      lines += Self.end(of: torture.workplace.text(torture.workplace.places.runnerLog), lines: 30)
      lines.append("\nrepeat it with: \(torture.settings.command)")
    }
    text = lines.joined(separator: "\n")
  }

  private static func table(_ torture: Torture) -> [String] {
    let jobs = Set(torture.feed.events.map(\.job.number)).count
    let kills = torture.kills
    var columns: [(title: String, value: String)] = [
      ("jobs", "\(jobs)"), ("events", "\(torture.feed.events.count)"),
      ("runners killed", "\(kills.runners)"), ("commands killed", "\(kills.commands)"),
      ("shims killed", "\(kills.shims)"), ("ready shims killed", "\(kills.ready)"),
    ]
    for kind in Violation.Class.allCases {
      columns.append((kind.rawValue, "\(torture.violations.count { $0.kind == kind })"))
    }
    columns.append(("seconds", "\(torture.seconds)"))
    let widths = columns.map { max($0.title.count, $0.value.count) }
    func row(_ cells: [String]) -> String {
      zip(cells, widths).map { cell, width in
        String(repeating: " ", count: width - cell.count) + cell
      }.joined(separator: "  ")
    }
    return [row(columns.map(\.title)), row(columns.map(\.value))]
  }

  /// All that is said of one job stands together.
  private static func groups(_ violations: [Violation]) -> [[Violation]] {
    var groups: [[Violation]] = []
    for violation in violations {
      let place = groups.lastIndex { $0[0].errand === violation.errand && violation.errand != nil }
      if let place { groups[place].append(violation) } else { groups.append([violation]) }
    }
    return groups
  }

  private static func story(of violations: [Violation], _ torture: Torture) -> [String] {
    let workplace = torture.workplace
    var lines = [""] + violations.map { "\($0.kind.rawValue): \($0.sentence)" }
    if let errand = violations[0].errand { lines.append(errand.story) }
    guard let number = violations[0].number else { return lines }
    lines.append("job \(number)" + (torture.orphans.contains(number) ? ", shim killed" : ""))
    lines += torture.feed.events.filter { $0.job.number == number }.map(\.summary)
    for name in workplace.names(in: workplace.places.runRecords)
    where name.hasPrefix("\(number).") {
      lines.append("record \(name): " + workplace.text("\(workplace.places.runRecords)/\(name)"))
    }
    lines.append("ledger:\n" + workplace.text(torture.ledger(number)) + "log:")
    return lines + end(of: workplace.text(workplace.places.log(number)), lines: 20)
  }

  private static func end(of text: String, lines: Int) -> [String] {
    text.split(separator: "\n").suffix(lines).map(String.init)
  }
}
