/// The texts of `jobrun help`, made from the table of verbs.
enum Help {
  /// The columns of the texts; the least that a terminal has.
  static let width = 80

  static let naming = """
    ID is a job's number, its identifier, or the start of its title or definition; @ is the latest \
    job, @~1 the one before it.
    """

  static let durations = "Durations: 500ms 2s 3m 1h 2d."

  /// The commands of a day, with their purpose.
  private static let everyday: [(command: String, meaning: String)] = [
    ("run -- make -j8", "run a command and watch it"),
    ("submit export -- photos", "start one of the jobs of jobrun jobs"),
    ("each -- gzip -k {} ::: *.log", "run a command once for each input"),
    ("attach 12", "watch job 12 (d leaves, Ctrl-C cancels)"),
    ("watch", "watch all jobs on one screen"),
    ("cancel 12", "stop job 12"),
  ]

  /// The text of `jobrun help`: one screen.
  static var overview: String {
    var lines = ["Run commands that show their progress and outlive the terminal.", ""]
    lines += table(everyday.map { ("jobrun \($0.command)", $0.meaning) })
    lines.append("")
    lines += table(
      Verb.groups.map { group in
        (group.heading, group.verbs.map { $0.name.rawValue }.joined(separator: " "))
      } + [("Topics", Manual.Topic.allCases.map { $0.rawValue }.joined(separator: " "))])
    lines += [""] + wrapped(naming)
    lines += wrapped(
      "More: jobrun help VERB, JOB or TOPIC; jobrun help verbs and jobrun help topics list them. Every"
        + " verb takes --json.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The operand of `jobrun help` that asks for every verb with its sentence.
  static let verbsTopic = "verbs"

  /// The operand of `jobrun help` that asks for the pages of the manual.
  static let topicsTopic = "topics"

  /// The text of `jobrun help verbs`.
  static var verbs: String {
    let lines = table(Verb.all.map { ($0.name.rawValue, $0.summary) })
    return lines.joined(separator: "\n") + "\n"
  }

  /// Rows of two columns, the second as far to the right as the first needs.
  static func table(_ rows: [(String, String)]) -> [String] {
    let names = rows.map { $0.0.count }.max() ?? 0
    return rows.flatMap { name, text in
      let gap = String(repeating: " ", count: names - name.count + 2)
      return wrapped(text, first: "  \(name)\(gap)", indent: names + 4)
    }
  }

  /// The text of `jobrun help VERB`.
  static func text(of verb: Verb) -> String {
    let head = ["Usage: \(verb.usage)", ""] + wrapped(verb.summary)
    let details = (verb.details + ["With --json: \(verb.json)"]).map { [""] + wrapped($0) }
    let groups = verb.flagGroups
    guard groups.count > 1 else {
      let body = details.joined() + groups.flatMap(flags(of:)) + examples(of: verb)
      return (head + body).joined(separator: "\n") + "\n"
    }
    // Many flags push the rest off the screen: everyday content comes first.
    let first = flags(of: groups[0]) + examples(of: verb) + details[0]
    let rest = groups.dropFirst().flatMap(flags(of:)) + details.dropFirst().joined()
    return (head + first + rest).joined(separator: "\n") + "\n"
  }

  private static func flags(of group: FlagGroup.Members) -> [String] {
    ["", "\(group.heading):"] + group.flags.flatMap(line(of:))
  }

  private static func examples(of verb: Verb) -> [String] {
    verb.examples.isEmpty ? [] : ["", "Examples:"] + verb.examples.map { "  jobrun \($0)" }
  }

  private static func line(of flag: Flag) -> [String] {
    let indent = 34
    let head = "  \(flag.usage)"
    guard head.count < indent - 1 else {
      let blank = String(repeating: " ", count: indent)
      return [head] + wrapped(flag.summary, first: blank, indent: indent)
    }
    let gap = String(repeating: " ", count: indent - head.count)
    return wrapped(flag.summary, first: head + gap, indent: indent)
  }

  /// Breaks `text` between words; `first` starts the first line, `indent` blanks the others.
  static func wrapped(
    _ text: String, first: String = "", indent: Int = 0
  ) -> [String] {
    var lines: [String] = []
    var line = first
    var isFresh = true
    for word in text.split(separator: " ") {
      if !isFresh, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isFresh = true
      }
      line += isFresh ? String(word) : " \(word)"
      isFresh = false
    }
    return lines + [line]
  }
}
