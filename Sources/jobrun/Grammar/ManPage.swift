import JobWire

/// The man page, made from the table of verbs; see man(7) for the requests.
enum ManPage {
  static var text: String {
    var page = [
      ".TH JOBRUN 1 \"\" \"jobrun \(Version.text)\" \"User Commands\"",
      ".SH NAME", "jobrun \\- run commands that show their progress and outlive the terminal",
      ".SH SYNOPSIS", ".B jobrun", ".I VERB", "[\\fIARGUMENT\\fR ...]",
      ".SH DESCRIPTION", escaped(Self.description),
    ]
    for paragraph in [Help.naming, Help.durations] { page += [".PP", escaped(paragraph)] }
    page.append(".SH VERBS")
    for verb in Verb.all { page += section(of: verb) }
    page += json
    page.append(".SH EXIT STATUS")
    page.append("Of submit, run, attach and wait:")
    page += ExitGuide.entries.flatMap(entry)
    page.append(".SH FILES")
    for (path, meaning) in EnvironmentGuide.files {
      page += [".TP", ".I \(escaped(path))", escaped(meaning)]
    }
    page += [".SH SETTINGS", escaped(SettingsGuide.introduction)]
    page += SettingsGuide.entries.flatMap(entry)
    page.append(".SH ENVIRONMENT")
    page += EnvironmentGuide.ours.flatMap(entry)
    page += [".PP", "A job has these in its environment:"]
    page += EnvironmentGuide.ofJobs.flatMap(entry)
    page.append(".SH WHEN A JOB HAS ENDED")
    for paragraph in EnvironmentGuide.ends { page += [escaped(paragraph), ".PP"] }
    page.append("The command has these in its environment:")
    page += EnvironmentGuide.ofEndCommands.flatMap(entry)
    page += [".SH SEE ALSO", Manual.references()]
    return page.joined(separator: "\n") + "\n"
  }

  private static let description = """
    A job keeps running when its terminal is closed, and can be watched and stopped from anywhere. A runner \
    in the background starts with the first command that needs it, and exits when it is idle.
    """

  private static func entry(_ name: String, _ meaning: String) -> [String] {
    [".TP", ".B \(escaped(name))", escaped(meaning)]
  }

  private static func section(of verb: Verb) -> [String] {
    let usage = verb.usage.dropFirst("jobrun ".count + verb.name.rawValue.count)
    var lines = [
      ".SS \"\(verb.name.rawValue)\"",
      "\\fBjobrun \(verb.name.rawValue)\\fR\(escaped(String(usage)))",
    ]
    let json = "With --json: \(verb.json)"
    let paragraphs = [verb.summary] + verb.details + [json]
    for paragraph in paragraphs { lines += [".PP", escaped(paragraph)] }
    let groups = verb.flagGroups
    for (heading, flags) in groups {
      if groups.count > 1 { lines += [".PP", ".I \(heading)"] }
      for flag in flags { lines += [".TP", ".B \(escaped(flag.usage))", escaped(flag.summary)] }
    }
    if !verb.examples.isEmpty {
      lines += [".PP", "Examples:", ".nf", ".RS 4"]
      lines += verb.examples.map { escaped("jobrun \($0)") } + [".RE", ".fi"]
    }
    return lines
  }

  private static var json: [String] {
    var lines = [".SH JSON", escaped(JSONGuide.introduction)]
    let objects = [
      ("A job", JSONGuide.job), ("Progress", JSONGuide.progress), ("A feed line", JSONGuide.feed),
    ]
    for (heading, entries) in objects {
      lines.append(".SS \"\(heading)\"")
      for (name, meaning) in entries { lines += [".TP", ".B \(name)", escaped(meaning)] }
    }
    return lines
  }

  /// A part of a line, verbatim.
  static func literal(_ text: String) -> String {
    text.escaping(["\\": "\\e", "-": "\\-", "…": "..."])
  }

  /// A line as roff takes it verbatim: backslashes, hyphens, and dots or quotes at the start.
  static func escaped(_ text: String) -> String {
    let line = literal(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
