import JobCore

/// One flag of the command line: its spelling, its value and its meaning.
///
/// The parser, the help and the sentences of errors are made from these values alone.
struct Flag: Hashable, Sendable {
  /// The kind of the flag's value.
  enum Value: Hashable, Sendable {
    /// No value.
    case none
    /// Any text; the placeholder names it in the help.
    case text(String)
    /// One of these words.
    case choice([String])
    /// One of these words, or none, which means the first.
    case wordOrNone([String])
    /// `500ms`, `2s`, `3m`, `1h`.
    case duration
    /// A duration, or the word `never`.
    case durationOrNever
    /// A whole number from 0.
    case count(String)
    /// A comma-separated list of requirements; may be given several times.
    case requirements
    /// A comma-separated list of columns.
    case columns
    /// Any text; given several times it adds up.
    case list(String)
    /// A comma-separated list of jobs that have not ended; may be given several times.
    case jobs
  }

  /// Without its dashes: `title`.
  let name: String
  /// `f` of `-f`; nil when there is only the long form.
  var short: Character?
  let value: Value
  /// One phrase for the help, without a full stop.
  let summary: String

  init(_ name: String, short: Character? = nil, _ value: Value, _ summary: String) {
    self.name = name
    self.short = short
    self.value = value
    self.summary = summary
  }

  /// As people type it.
  var spelling: String { "--\(name)" }

  /// The name of the value in the help; empty without a value.
  var placeholder: String {
    switch value {
    case .none: ""
    case .text(let name), .count(let name), .list(let name): name
    case .choice(let words): words.joined(separator: "|")
    case .wordOrNone(let words): "[" + words.joined(separator: "|") + "]"
    case .duration: "DURATION"
    case .durationOrNever: "DURATION|never"
    case .requirements: "gpu[=N]|memory=4G|network|power"
    case .columns: "COLUMN,…"
    case .jobs: "ID,…"
    }
  }

  /// Spelling and value together: `-f, --follow` or `--title TEXT`.
  var usage: String {
    let long = placeholder.isEmpty ? spelling : "\(spelling) \(placeholder)"
    return short.map { "-\($0), \(long)" } ?? long
  }
}

extension Flag {
  static let earliest = Flag(
    "earliest", .text("TIME"),
    "earliest start: 22:30, +2h, 2026-03-01T03:00:00Z; it may start a little later")
  static let every = Flag(
    "every", .duration, "repeat at this interval, at least a minute: 10m, 1d, 7d")
  static let at = Flag(
    "at", .text("[DAYS ]HH:MM"),
    "time of day, by the local clock; with days, repeat on each of them: \"mon-fri 03:00\","
      + " \"1st,15th 04:00\", \"jan,jul 1st 00:00\"")
  static let force = Flag(
    "force", .none,
    "do not wait for the jobs that it comes after, even if they failed"
  )
  static let discard = Flag("discard", .none, "with stop: also end the waiting jobs")
  static let strict = Flag("strict", .none, "fail outside a job (64) instead of doing nothing")
  static let jobs = Flag("jobs", .text("DIR"), "look for definitions in this bundle first")
  static let progress = Flag(
    "progress", .text("none|auto|make|REGEX"),
    "source of the progress: output and input files (auto), nothing (none), the commands"
      + " that make -n lists (make), or a pattern with one group for a percentage, or two for count and total"
  )
  static let pty = Flag(
    "pty", .none, "give the job a terminal, for programs that show progress only there")
  static let interactive = Flag(
    "interactive", short: "i", .none,
    "give the job a terminal and your keys, as for a shell; Ctrl-] detaches")
  static let follow = Flag("follow", short: "f", .none, "print the job's output as it arrives")
  static let quiet = Flag(
    "quiet", short: "q", .none,
    "print nothing if the job succeeds; with --detach, print only its number")
  static let id = Flag("id", .none, "print the job's number alone on the first line")
  static let json = Flag("json", .none, "print JSON, one object per line")
  static let man = Flag(
    "man", .none, "print everything as a man page (roff), which make install installs")
  static let plain = Flag("plain", .none, "print plain lines, even on a terminal")
  static let format = Flag(
    "format", .columns, "print only these columns, tab-separated and in full")
  static let language = Flag(
    "language", .choice(JobTemplate.Language.allCases.map { $0.rawValue }),
    "language of the job (default shell)")
  static let package = Flag(
    "package", .text("DIR"), "folder of jobrun's own sources, for a job in Swift")
  static let help = Flag("help", short: "h", .none, "show this help")

  static let all = Flag("all", .none, "include jobs that have ended")
  static let eachJob = Flag(
    "jobs", .none, "show every job of a submission of many, which otherwise is one line")
  static let csv = Flag("csv", .none, "print comma-separated values (RFC 4180) with a header row")
  static let cancelAll = Flag("all", .none, "every job that has not ended")
  static let allRunning = Flag("all", .none, "every running job")
  static let allPaused = Flag("all", .none, "every paused job")
  static let keepSlot = Flag("keep-slot", .none, "keep the slot of the paused job free")
  static let pauseLength = Flag("for", .duration, "resume the jobs after this time: 10m, 1h")
  static let now = Flag("now", .none, "kill at once instead of after the grace period")
  static let reason = Flag("reason", .text("TEXT"), "why, for show and history")
  static let signal = Flag(
    "signal", .text("NAME"), "signal that asks the jobs to stop, in place of TERM: INT, QUIT, 10")
  static let message = Flag("message", .text("TEXT"), "message of the job, at most 253 bytes")
  static let notify = Flag(
    "notify", .none, "with --message: also show it as a notification (jobrun help running)")
  static let no = Flag("no", .none, "answer no: the job stops")
  static let lines = Flag(
    "lines", short: "n", .count("N"), "only the last N lines, and new ones with -f")
  static let firstLines = Flag("first", .count("N"), "only the first N lines")
  static let noHeading = Flag(
    "no-heading", .none, "print several jobs without headings")
  static let tag = Flag("tag", .none, "print the job's number and a tab before each line")
  static let allLive = Flag("all", .none, "every job that has not ended")
  static let until = Flag(
    "until", .choice(["ended", "running"]),
    "wait until the jobs have started (running) or ended (default)")
  static let newJobs = Flag(
    "new", .none, "with --all or group:NAME: wait also for jobs that are submitted in the meantime")
  static let failFast = Flag(
    "fail-fast", .none,
    "stop waiting at the first job that does not succeed; the others keep running")
  static let withDependents = Flag(
    "with-dependents", .none, "include jobs that were refused because they come after it")
  static let explain = Flag(
    "explain", .none,
    "print how its progress was recognised: each number with its rule and its line")
  static let any = Flag("any", .none, "stop waiting when the first of them has ended")
  static let timeout = Flag("timeout", .duration, "stop waiting after this time; exit with 122")
  static let since = Flag("since", .count("SEQ"), "resume after the event with this number")

  static let historyLimit = Flag(
    "limit", short: "n", .count("N"), "maximum number (default 20); 0 shows all")
  static let outcome = Flag(
    "outcome", .choice(Outcome.allCases.map { $0.rawValue }), "only jobs with this outcome")
  static let historySince = Flag(
    "since", .text("WHEN"),
    "only jobs that ended since then: today, yesterday, monday, 2026-03-01, 14:30, 2h (ago)")
  static let historyUntil = Flag(
    "until", .text("WHEN"), "only jobs that had ended by then, including all of a day")
  static let usageGrouping = Flag(
    "by", .choice(UsageSum.Grouping.allCases.map { $0.rawValue }),
    "add up by definition (default), bundle, group, title or day")
  static let ofGroup = Flag("group", .text("NAME"), "only jobs of this group")
  static let reportSince = Flag(
    "since", .text("WHEN"), "include jobs that ended since then, as in history (default 24h)")
  static let port = Flag("port", .count("N"), "port (default 8471); 0 picks a free one")
  static let readOnly = Flag("read-only", .none, "do not allow changes from the page")
  static let titlePart = Flag("title", .text("TEXT"), "only jobs with this text in their title")
  static let definition = Flag("definition", .text("DEFINITION"), "only jobs of this definition")

  static let completed = Flag("completed", .count("N"), "units done so far")
  static let advance = Flag("advance", .count("N"), "units done since the last report")
  static let total = Flag("total", .count("N"), "units to do; 0 if unknown")
  static let unit = Flag("unit", .choice(["items", "bytes"]), "what is counted")
  static let quietFor = Flag(
    "quiet-for", .duration, "announce that no report will follow for this time")
}
