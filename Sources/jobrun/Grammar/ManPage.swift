import JobWire

/// The man page, made from the table of verbs; man(7) says what the requests mean.
enum ManPage {
  static var text: String {
    var page = [
      ".TH JOBRUN 1 \"\" \"jobrun \(Version.text)\" \"User Commands\"",
      ".SH NAME", "jobrun \\- start work, see how far it is, and walk away from it",
      ".SH SYNOPSIS", ".B jobrun", ".I VERB", "[\\fIARGUMENT\\fR ...]",
      ".SH DESCRIPTION", escaped(Self.description),
    ]
    for paragraph in [Help.naming, Help.durations] { page += [".PP", escaped(paragraph)] }
    page.append(".SH VERBS")
    for verb in Verb.all { page += section(of: verb) }
    page += json
    page.append(".SH EXIT STATUS")
    page.append("Of submit, run, attach and wait:")
    for (code, meaning) in exitCodes { page += [".TP", ".B \(code)", escaped(meaning)] }
    page.append(".SH FILES")
    for (path, meaning) in files { page += [".TP", ".I \(escaped(path))", escaped(meaning)] }
    page += [".SH SETTINGS", escaped(SettingsGuide.introduction)]
    for (key, meaning) in SettingsGuide.entries { page += [".TP", ".B \(key)", escaped(meaning)] }
    page.append(".SH ENVIRONMENT")
    for (name, meaning) in environment { page += [".TP", ".B \(name)", escaped(meaning)] }
    page.append(".SH WHEN A JOB HAS ENDED")
    for paragraph in ends { page += [escaped(paragraph), ".PP"] }
    page.append("What is run then has these in its environment:")
    for (name, meaning) in endVariables { page += [".TP", ".B \(name)", escaped(meaning)] }
    return page.joined(separator: "\n") + "\n"
  }

  private static let description = """
    A job goes on when its terminal is closed, and can be seen and stopped from anywhere. A runner \
    in the background starts with the first command that needs it and leaves when it is idle.
    """

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

  private static let exitCodes = [
    ("0", "the job succeeded"), ("1-63", "it failed with this code (1 if its own was 64 or more)"),
    ("64", "wrong usage"), ("66", "no such job, definition or identifier"),
    ("69", "impossible on this machine, or what it comes after did not succeed"),
    ("70", "internal error"),
    ("73", "something cannot be created, or a job with this identifier is already running"),
    ("75", "it could not start now (--strategy fail)"),
    ("76", "interrupted: the runner was stopped, or the machine was restarted"),
    ("77", "not permitted"), ("122", "the wait ended, the job did not"),
    ("124", "expired: silent, stall declined, or over its limit"), ("130", "cancelled"),
  ]

  private static let files = [
    ("~/.local/state/jobrun", "history, logs and state of jobs; XDG_STATE_HOME moves it"),
    ("~/.config/jobrun/config.json", "settings, see below; XDG_CONFIG_HOME moves it"),
  ]

  private static let environment = [
    ("JOBRUN_HOME", "one folder that holds all of the above, for tests and sandboxes"),
    ("JOBRUN_JOBS", "folders of bundles, separated by colons"),
    ("NO_COLOR", "when not empty: no colours"),
    (
      "DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR",
      "where the session bus is, for notifications on the desktop; those of the runner, which has them"
        + " from your systemd or the command that started it, else those of the newest job that has them"
    ),
  ]

  private static let ends = [
    """
    A question that nobody watches, and the end of a job that nobody watched and that ran for 10 s or \
    more, are told on the desktop; jobrun runner status says whether that works, and why not. In \
    config.json, "notify": {"after": "30s", "desktop": false, "bell": true} changes that: bell rings \
    the terminal's bell for the same in submit, run and attach; --bell does at every end of that job.
    """,
    """
    --on-end COMMAND, and for all jobs that ran for 10 s or more "onEnd": {"command": "...", "after": \
    "0s", "limit": "1m"} in config.json, are run by sh -c. Each is begun once for each end, also when \
    the runner is killed in between; one that is cut short is not begun again. When it ends, what it \
    has left in the background ends, too. What it prints goes to the job's log; a failure is a warning \
    of the job and in jobrun runner status.
    """,
  ]

  private static let endVariables = [
    ("JOBRUN_JOB", "its number"), ("JOBRUN_IDENTIFIER", "its identifier"),
    ("JOBRUN_TITLE", "its title"),
    ("JOBRUN_OUTCOME", "succeeded, failed, cancelled, expired, interrupted or refused"),
    ("JOBRUN_EXIT_CODE", "the exit code, when it exited; else empty"),
    ("JOBRUN_SIGNAL", "the number of the signal that ended it; else empty"),
    ("JOBRUN_STOP_REASON", "why it was stopped, such as user, silent or limit; else empty"),
    ("JOBRUN_MESSAGE", "one sentence: its last words, or why it was stopped; may be empty"),
    ("JOBRUN_SECONDS", "how long it ran, in whole seconds"),
    ("JOBRUN_LOG", "the file with what it has written"),
    ("JOBRUN_ATTEMPT", "how many attempts it made"),
    ("JOBRUN_COMMAND", "the program jobrun itself"),
  ]

  /// A line as roff takes it verbatim: backslashes, hyphens, and dots or quotes at the start.
  private static func escaped(_ text: String) -> String {
    let line = text.escaping(["\\": "\\e", "-": "\\-", "…": "..."])
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
