import JobCore
import JobWire

/// The report of a run: a table, and the full history of every error.
struct Report {
  let text: String
  let isClean: Bool

  /// The number of full histories; later ones are only listed.
  private static let stories = 12

  typealias Column = (title: String, value: String)

  init(_ torture: Torture) {
    let kills = torture.kills
    var faults: [Column] = [
      ("runners killed", "\(kills.runners)"), ("commands killed", "\(kills.commands)"),
      ("shims killed", "\(kills.shims)"), ("ready shims killed", "\(kills.ready)"),
      ("paused", "\(kills.pauses)"), ("steered", "\(kills.steered)"),
    ]
    switch torture.settings.fault {
    case .kill, .power, .disk, .cluster: break
    case .disturb:
      faults += [
        ("stopped", "\(kills.stops)"), ("files", "\(kills.files)"), ("stores", "\(kills.stores)"),
      ]
    case .scarce:
      faults += Shortage.possible.map { ("no \($0)", "\(kills.shortages[$0] ?? 0)") }
    }
    self.init(
      faults, torture.violations, torture.feed.events, torture.workplace, orphans: torture.orphans,
      seconds: torture.seconds, command: torture.settings.command,
      happened: torture.shortages.map(\.line))
  }

  /// `faults` are columns of the faults that were caused; `orphans` are jobs whose supervisor was killed;
  /// `command` repeats the run; `happened`: lines about the faults, in their order.
  init(
    _ faults: [Column], _ violations: [Violation], _ events: [Feed.Event], _ workplace: Workplace,
    orphans: Set<JobNumber> = [], seconds: Int, command: String,
    happened: [String] = []
  ) {
    isClean = violations.isEmpty
    let jobs = Set(events.map(\.job.number)).count
    var columns: [Column] = [("jobs", "\(jobs)"), ("events", "\(events.count)")] + faults
    for kind in Violation.Class.allCases {
      columns.append((kind.rawValue, "\(violations.count { $0.kind == kind })"))
    }
    var lines = Self.table(columns + [("seconds", "\(seconds)")])
    let groups = Self.groups(violations)
    for group in groups.prefix(Self.stories) {
      lines += Self.story(of: group, events, workplace, orphans)
    }
    for violation in groups.dropFirst(Self.stories).joined() {
      lines.append("also \(violation.kind.rawValue): \(violation.sentence)")
    }
    if !isClean {
      lines.append("\nthe runner's log ends with:")
      lines += Self.end(of: workplace.text(workplace.paths.runnerLog), lines: 30)
      lines += happened.isEmpty ? [] : ["\nthe shortages were:"] + happened
      lines.append("\nrepeat it with: \(command)")
    }
    text = lines.joined(separator: "\n")
  }

  private static func table(_ columns: [Column]) -> [String] {
    let widths = columns.map { max($0.title.count, $0.value.count) }
    func row(_ cells: [String]) -> String {
      zip(cells, widths).map { cell, width in
        String(repeating: " ", count: width - cell.count) + cell
      }.joined(separator: "  ")
    }
    return [row(columns.map(\.title)), row(columns.map(\.value))]
  }

  /// All violations of one job together.
  private static func groups(_ violations: [Violation]) -> [[Violation]] {
    var groups: [[Violation]] = []
    for violation in violations {
      let place = groups.lastIndex { $0[0].errand === violation.errand && violation.errand != nil }
      if let place { groups[place].append(violation) } else { groups.append([violation]) }
    }
    return groups
  }

  private static func story(
    of violations: [Violation], _ events: [Feed.Event], _ workplace: Workplace,
    _ orphans: Set<JobNumber>
  ) -> [String] {
    var lines = [""] + violations.map { "\($0.kind.rawValue): \($0.sentence)" }
    if let errand = violations[0].errand { lines.append(errand.story) }
    guard let number = violations[0].number else { return lines }
    lines.append("job \(number)" + (orphans.contains(number) ? ", shim killed" : ""))
    lines += events.filter { $0.job.number == number }.map(\.summary)
    for name in workplace.names(in: workplace.paths.runRecords)
    where name.hasPrefix("\(number).") {
      lines.append("record \(name): " + workplace.text("\(workplace.paths.runRecords)/\(name)"))
    }
    lines.append("ledger:\n" + workplace.text(workplace.ledger(of: number)) + "log:")
    return lines + end(of: workplace.text(workplace.paths.log(number)), lines: 20)
  }

  private static func end(of text: String, lines: Int) -> [String] {
    text.split(separator: "\n").suffix(lines).map(String.init)
  }
}
