/// The texts of `jobrun help`, made from the table of verbs.
enum Help {
  /// Columns in which the texts are set; what a terminal has at least.
  static let width = 80

  static let naming = """
    ID is a job's number, its identifier, or the beginning of its title or definition where that is \
    clear; @ is the job submitted last, @~1 the one before it.
    """

  static let durations = "Durations: 500ms 2s 3m 1h 2d."

  /// The text of `jobrun help`.
  static var overview: String {
    let names = Verb.all.map { $0.name.rawValue.count }.max() ?? 0
    var lines = [
      "jobrun starts work, shows how far it is, and lets you walk away from it.", "",
      "Usage: jobrun VERB …", "",
    ]
    for verb in Verb.all {
      let name = verb.name.rawValue
      let gap = String(repeating: " ", count: names - name.count + 2)
      lines += wrapped(verb.summary, first: "  \(name)\(gap)", indent: names + 4)
    }
    lines += [""] + wrapped(naming) + wrapped(durations)
    lines += wrapped(
      "Every verb takes --json: one object per line, described in the man page (jobrun help --man)."
    )
    lines += wrapped(
      "jobrun help VERB explains a verb, jobrun help JOB a definition; jobrun --version prints"
        + " the version.")
    return lines.joined(separator: "\n") + "\n"
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
    // Many flags push the rest off the screen: what is needed every day comes first.
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
