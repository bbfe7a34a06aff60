extension Verb {
  private static let columns = """
    Columns of --format: \(JobColumn.allCases.map { $0.rawValue }.joined(separator: ", ")). Their names \
    never change; what is not known is empty; times are UTC, durations seconds, sizes bytes.
    """

  static let watching: [Verb] = [
    Verb(
      name: .attach, operands: .optional("ID"), flags: [.follow, .bell, .plain, .json],
      summary: "Watch a job from this terminal, and steer it with keys.",
      details: [
        keys,
        """
        7-9 or group:NAME watches several jobs as one line, as each does; of a group those that live, and those \
        that have ended since the oldest of them was submitted. Ctrl-C cancels the rest of them, d \
        detaches.
        """,
        codes,
      ],
      json: """
        The feed lines of the job, a snapshot first, and the job when it has ended.
        """,
      examples: ["attach 12", "attach group:render"], knownElsewhereAs: ["fg", "follow", "tail"]),
    Verb(
      name: .watch, operands: .none, flags: [.json],
      summary: "Watch all jobs, live, and steer them with keys.",
      details: [
        """
        Arrows, PgUp and PgDn select a job. Enter opens it, with the end of its output, and Escape \
        goes back; jobs of one each are one row that Enter opens. l shows the log; y and n answer a \
        question; p pauses and resumes; c cancels, after asking; t makes a waiting job the next one; \
        r runs an ended one again; f goes to the next that failed. Space marks jobs for c, p and t, i \
        marks all the others. s sorts. / shows only jobs with what is typed in their title, \
        definition, identifier or number. ? lists the keys. Ctrl-C or q leaves, and all jobs go on.
        """
      ],
      json: "The same as with feed.",
      knownElsewhereAs: ["top", "monitor", "dashboard"]),
    Verb(
      name: .list, operands: .none,
      flags: [.all, .ofGroup, .states, .outcomes, .titlePart, .format, .json],
      summary: "Show the jobs that run or wait.",
      details: [columns],
      json: "One job per line, by number.",
      examples: [
        "list --all --format number,state,percent,title", "list --state queued --group render",
        "list --outcome failed,expired",
      ],
      knownElsewhereAs: ["ls", "ps", "status", "squeue"]),
    Verb(
      name: .pending, operands: .none, flags: [.json],
      summary: "Show what waits: until when, or for what and since when.",
      details: [
        """
        What the runner starts at moments of its own choice is shared out: the jobs of a bundle of the kinds \
        refresh, processing and push get 288 starts and two hours of processor time within 24 hours, and then wait until \
        earlier ones are that old. After two tasks in a row that failed or took too long a bundle waits 5 \
        minutes, after three 10, then 20 and so on, up to 2 hours, until one succeeds. What bundles have had stands below the table. \
        Jobs of the kind continued are not counted; budget in config.json and jobrun settings change the rule.
        """
      ],
      json: """
        One waiting job per line, by number. What bundles have had is "budget" of \
        jobrun runner status --json: "bundle", "starts", "processorSeconds", "failures", "until" and \
        "why" of each.
        """,
      knownElsewhereAs: ["scheduled", "waiting", "atq"]),
    Verb(
      name: .history, operands: .none,
      flags: [
        .historyLimit, .historySince, .historyUntil, .titlePart, .outcome, .definition, .ofGroup,
        .format, .json,
      ],
      summary: "Show the jobs that have ended, the latest first.",
      details: [
        """
        Days and times are local, and a day is a whole day: --since monday --until tuesday covers two. \
        A weekday is the last one of that name, today included.
        """,
        "The last 10,000 jobs of 90 days are kept; historyLimit in config.json changes that.",
      ],
      json: "One ended job per line, the latest first.",
      examples: [
        "history --since yesterday", "history --outcome failed --title trip --limit 0",
        "history --since \"monday 9:00\" --until friday",
      ],
      knownElsewhereAs: ["past", "sacct", "last", "ended", "done"]),
    Verb(
      name: .usage, operands: .none, flags: [.usageGrouping, .historySince, .historyUntil, .json],
      summary: "Show what ended jobs have used: time, processor time, memory.",
      details: [
        """
        A job that has not ended is not counted yet. "ran" is from its first start to its end without its pauses, \
        "processor" the time of all processes of its attempts, "memory" the most that one process \
        had, "on engines" the processor time of what ran elsewhere, "gpu" the time for which they had GPUs, \
        each by itself, "read" and "written" what came from disks and went to them, and the bar its share of \
        all processor time of this machine.
        """,
        """
        "energy" is there where the machine tells it: what their GPUs used while they had them, and of what all \
        processors used meanwhile as much as they had of the processors' time, which is an estimate, since nothing \
        counts the energy of one process. With \u{2265} before it there is more that is not known. Counters of \
        processors (/sys/class/powercap) can be read by root only, unless the system lets others.
        """,
      ],
      json: """
        Each group's "name", "jobs", "succeeded", "failed", "cancelled", "seconds", "cpuSeconds", \
        "engineCPUSeconds", "maxResidentBytes", "gpuSeconds", "bytesRead", "bytesWritten", "processorJoules" \
        and "gpuJoules" (null where none is known), "energyIsWhole" (it is known of all) and "share" (0 to 1), one \
        object per line.
        """,
      examples: ["usage --since monday", "usage --by group --since 2026-03-01"],
      knownElsewhereAs: ["stats", "accounting", "sreport", "cost"]),
    Verb(
      name: .show, operands: .any(.anyJob), flags: [.states, .outcomes, .json],
      summary: "Show everything about a job.",
      details: [JobOperand.helpLatest],
      json: "One job per line.",
      examples: ["show 12", "show --state queued"],
      knownElsewhereAs: ["info", "inspect", "describe"]),
    Verb(
      name: .log, operands: .any(.anyJob),
      flags: [
        .lines, .firstLines, .follow, .explain, .noHeading, .tag, .states, .outcomes, .json,
      ],
      summary: "Print the output of a job, of all its attempts.",
      details: [
        """
        --explain prints, in place of the output, what was recognised in it while a client watched: when, \
        how far, by which rule, and in which line. It is what to report where a number was wrong; until \
        then --progress REGEX finds another one, and --progress none does not look.
        """,
        "-f goes on until the job has ended; Ctrl-C leaves, and the job goes on.",
        JobOperand.helpLatest
          + " Several come in the order of their numbers, which is that of their"
          + " inputs, each with a heading.",
      ],
      json: """
        {"number":12,"line":1,"text":"…"} for each line of the log; a line longer than 64 KiB comes \
        in pieces with the same line number. With --explain {"number":12,"at":"…","attempt":1,\
        "progress":{…}} for each change, with the "progress" of list; null where nothing was sure any more.
        """,
      examples: ["log 12", "log @ -n 50 -f", "log group:render --tag", "log --explain @"],
      knownElsewhereAs: ["logs", "output", "cat", "less"]),
    Verb(
      name: .wait, operands: .any("ID"),
      flags: [.allLive, .any, .failFast, .until, .timeout, .json],
      summary: "Wait until jobs have ended; exit with the first code that is not 0.",
      details: [
        "After Ctrl-C or a timeout it exits with 122, and the jobs go on.",
        "A single range or group is shown and waited for as one, as attach does.",
        "Without ID it is the only job that has not ended, else the latest; --all waits for every one.",
      ],
      json: "One job per line, as they end; of several succeeded, failed and cancelled.",
      examples: ["wait 12", "wait --all", "wait 12 --until running --timeout 5m"]),
    Verb(
      name: .feed, operands: .none, flags: [.since, .json],
      summary: "Print what happens to all jobs as it happens, one JSON object per line.",
      details: ["It begins with a snapshot of every job that runs or waits."],
      json: "The same; the feed is always JSON.",
      examples: ["feed --since 4711"],
      knownElsewhereAs: ["events"]),
  ]
}
