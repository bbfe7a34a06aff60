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
    "not before this: 22:30, +2h, 2026-03-01T03:00:00Z; it may be a little later")
  static let every = Flag(
    "every", .duration, "repeat at this interval: 10m, 1d, 7d; at least a minute")
  static let at = Flag("at", .text("HH:MM"), "at this time of day, by the local clock")
  static let force = Flag(
    "force", .none, "even if the jobs that it follows did not succeed, and without waiting for them"
  )
  static let discard = Flag("discard", .none, "with stop: end the jobs that wait, too")
  static let strict = Flag("strict", .none, "outside a job: fail (64) instead of doing nothing")
  static let jobs = Flag("jobs", .text("DIR"), "look for definitions in this bundle first")
  static let progress = Flag(
    "progress", .text("none|auto|make|REGEX"),
    "where its progress is seen: in what it prints and reads (auto), nowhere, by the commands that"
      + " make -n lists (make), or by a pattern whose groups are a percentage, or how many of how many"
  )
  static let pty = Flag(
    "pty", .none, "give it a terminal, for programs that show progress only there")
  static let follow = Flag("follow", short: "f", .none, "show what the job prints as it comes")
  static let quiet = Flag(
    "quiet", short: "q", .none,
    "print nothing of a job that succeeds; with --detach its number alone")
  static let id = Flag("id", .none, "of the job, print its number and nothing else first")
  static let json = Flag("json", .none, "JSON on stdout, one object per line")
  static let man = Flag(
    "man", .none, "all of it as a man page (roff); make install puts it in place")
  static let plain = Flag("plain", .none, "plain lines, as for a file or log, even on a terminal")
  static let format = Flag(
    "format", .columns, "print only these columns, tab-separated and in full")
  static let language = Flag(
    "language", .choice(JobTemplate.Language.allCases.map { $0.rawValue }),
    "what it is written in (default shell)")
  static let package = Flag(
    "package", .text("DIR"), "where jobrun's own sources are, for a job in Swift")
  static let help = Flag("help", short: "h", .none, "show this help")

  static let all = Flag("all", .none, "include jobs that have ended")
  static let cancelAll = Flag("all", .none, "every job that has not ended")
  static let allRunning = Flag("all", .none, "every job that runs")
  static let allPaused = Flag("all", .none, "every job that is paused")
  static let keepSlot = Flag("keep-slot", .none, "start no other job in its place meanwhile")
  static let now = Flag("now", .none, "kill at once instead of waiting for the grace time")
  static let no = Flag("no", .none, "answer no: the job stops")
  static let lines = Flag(
    "lines", short: "n", .count("N"), "only the last N lines, and with -f what follows")
  static let firstLines = Flag("first", .count("N"), "only the first N lines")
  static let noHeading = Flag(
    "no-heading", .none, "of several, no line that says which job is which")
  static let tag = Flag("tag", .none, "the job's number and a tab before each line")
  static let allLive = Flag("all", .none, "every job that has not ended")
  static let until = Flag(
    "until", .choice(["ended", "running"]),
    "wait until they have begun (running), or ended (default)")
  static let failFast = Flag(
    "fail-fast", .none, "end with the first that does not succeed; the others go on")
  static let withDependents = Flag(
    "with-dependents", .none, "those, too, that were refused because they come after it")
  static let explain = Flag(
    "explain", .none,
    "print how its progress was recognised: each number with its rule and its line")
  static let any = Flag("any", .none, "wait only until the first of them has ended")
  static let timeout = Flag("timeout", .duration, "wait no longer than this, then exit with 122")
  static let since = Flag("since", .count("SEQ"), "resume after the event with this number")

  static let historyLimit = Flag(
    "limit", short: "n", .count("N"), "at most this many (default 20); 0 for all")
  static let outcome = Flag(
    "outcome", .choice(Outcome.allCases.map { $0.rawValue }), "only those that ended this way")
  static let historySince = Flag(
    "since", .text("WHEN"),
    "only those that ended since: today, yesterday, monday, 2026-03-01, 14:30, 2h (ago)")
  static let historyUntil = Flag(
    "until", .text("WHEN"), "only those that had ended by then; a day counts as a whole")
  static let usageGrouping = Flag(
    "by", .choice(UsageSum.Grouping.allCases.map { $0.rawValue }),
    "add up by definition (default), bundle, group, title or day")
  static let ofGroup = Flag("group", .text("NAME"), "only jobs of this group")
  static let reportSince = Flag(
    "since", .text("WHEN"), "those that ended since, as history takes it (default 24h)")
  static let port = Flag("port", .count("N"), "listen there (default 8471); 0 for one that is free")
  static let readOnly = Flag("read-only", .none, "only show: nothing can be changed by the page")
  static let titlePart = Flag("title", .text("TEXT"), "only those with this in their title")
  static let definition = Flag("definition", .text("DEFINITION"), "only those of this definition")

  static let completed = Flag("completed", .count("N"), "units done so far")
  static let advance = Flag("advance", .count("N"), "units done since the last report")
  static let total = Flag("total", .count("N"), "units to do; 0 if unknown")
  static let unit = Flag("unit", .choice(["items", "bytes"]), "what is counted")
  static let quietFor = Flag(
    "quiet-for", .duration, "announce that no report will come for this long")
}
