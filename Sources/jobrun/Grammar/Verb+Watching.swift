extension Verb {
  private static let columns = """
    Columns of --format: \(JobColumn.allCases.map { $0.rawValue }.joined(separator: ", ")). Their \
    names never change; unknown values are empty; times are UTC, durations seconds, sizes bytes.
    """

  static let watching: [Verb] = [
    Verb(
      name: .attach, operands: .optional("ID"), flags: [.follow, .bell, .plain, .json],
      summary: "Watch a job in this terminal, and control it with keys.",
      details: [
        keys,
        """
        7-9 or group:NAME watches several jobs as one line, as each does; of a group, the live \
        jobs and those that have ended since the oldest of them was submitted. Ctrl-C cancels the \
        remaining jobs, d detaches.
        """,
        codes,
      ],
      json: """
        The feed lines of the job, a snapshot first, and the job when it has ended.
        """,
      examples: ["attach 12", "attach group:render"], knownElsewhereAs: ["fg", "follow", "tail"]),
    Verb(
      name: .watch, operands: .none, flags: [.json],
      summary: "Watch all jobs live, and control them with keys.",
      details: [
        """
        Arrows, PgUp and PgDn select a job. Enter opens it, with the end of its output, and Escape \
        goes back; the jobs of one each are one row that Enter opens. l shows the log, \
        where / searches and n and N go on; y and n answer a question; p pauses and resumes, P \
        pauses for a time; c cancels, after asking; t makes a waiting job the next one, e changes \
        its title; r runs an ended job again; f selects the next failed job. Space marks jobs for \
        c, p, P and t, i marks all the others. s sorts. / filters by title, definition, identifier or number. ? lists the keys. Ctrl-C or \
        q leaves; all jobs keep running.
        """
      ],
      json: "The same as with feed.",
      examples: ["watch"],
      knownElsewhereAs: ["top", "monitor", "dashboard"]),
    Verb(
      name: .list, operands: .any(.anyJob),
      flags: [
        .all, .eachJob, .ofGroup, .ofEngine, .states, .outcomes, .titlePart, .format, .json,
      ],
      summary: "Show the running and waiting jobs.",
      details: [
        """
        The jobs of one jobrun each or submit-file are one line, unless --jobs, --state, --outcome \
        or --title is given. The group of a job stands behind its title as group:NAME, which the \
        other verbs accept.
        """,
        "With ID, it shows these jobs, also those that have ended. " + JobOperand.help,
        columns,
      ],
      json: "One job per line, by number.",
      examples: [
        "list --all --format number,state,percent,title", "list --state queued --group render",
        "list --outcome failed,expired", "list --jobs", "list --on tower", "list 7-9",
      ],
      knownElsewhereAs: ["ls", "ps", "status", "squeue"]),
    Verb(
      name: .pending, operands: .none, flags: [.json],
      summary: "Show the waiting jobs, with their reasons and times.",
      details: [
        """
        Tasks that the runner starts have a budget: the refresh, processing and push jobs of a \
        bundle get 288 starts and two hours of processor time within 24 hours, then wait until \
        earlier ones are that old. After two tasks in a row that failed or took too long, a bundle \
        waits 5 minutes, after three 10, then 20 and so on, up to 2 hours, until one succeeds. The \
        table is followed by the usage of each bundle. Jobs of the kind continued are not counted; \
        budget in config.json and jobrun settings change the rule.
        """
      ],
      json: """
        One waiting job per line, by number. The usage of bundles is "budget" of jobrun runner \
        status --json: "bundle", "starts", "processorSeconds", "failures", "until" and "why" of \
        each.
        """,
      examples: ["pending"],
      knownElsewhereAs: ["scheduled", "waiting", "atq"]),
    Verb(
      name: .history, operands: .none,
      flags: [
        .historyLimit, .historySince, .historyUntil, .titlePart, .outcome, .definition, .ofGroup,
        .format, .csv, .json,
      ],
      summary: "Show the ended jobs, the latest first.",
      details: [
        """
        Days and times are local, and a day is a whole day: --since monday --until tuesday covers \
        two. A weekday is the last day of that name, including today.
        """,
        "The last 10,000 ended jobs of 90 days are kept; historyLimit in config.json changes that.",
      ],
      json: "One ended job per line, the latest first.",
      examples: [
        "history --since yesterday", "history --outcome failed --title trip --limit 0",
        "history --since \"monday 9:00\" --until friday",
        "history --csv --format number,title,outcome,elapsed --limit 0",
      ],
      knownElsewhereAs: ["past", "sacct", "last", "ended", "done"]),
    Verb(
      name: .usage, operands: .none,
      flags: [.usageGrouping, .historySince, .historyUntil, .csv, .json],
      summary: "Show the time, processor time and memory that ended jobs used.",
      details: [
        """
        Only ended jobs are counted; "failed" is every one that neither succeeded nor was cancelled. "ran" is the time from first start to end without pauses, \
        "processor" the time of all processes of all attempts, "memory" the most that one process \
        had, "on engines" the processor time elsewhere, "gpu" the time for which GPUs were held, \
        counted for each GPU, "read" and "written" the bytes from and to disks, and the bar the \
        share of all processor time of this machine.
        """,
        """
        "energy" is shown where the machine can measure it: the energy of the GPUs while the job \
        held them, and a share of the energy of all processors in proportion to the processor time \
        used. That share is an estimate, since no counter measures the energy of one process. \
        \u{2265} marks a lower limit. The counters of processors (/sys/class/powercap) can be read \
        by root only, unless the system allows others.
        """,
      ],
      json: """
        Each group's "name", "jobs", "succeeded", "failed", "cancelled", "seconds", "cpuSeconds", \
        "engineCPUSeconds", "maxResidentBytes", "gpuSeconds", "bytesRead", "bytesWritten", \
        "processorJoules" and "gpuJoules" (null if unknown), "energyIsWhole" (known for all jobs) \
        and "share" (0 to 1), one object per line.
        """,
      examples: [
        "usage --since monday", "usage --by group --since 2026-03-01", "usage --by day --csv",
      ],
      knownElsewhereAs: ["stats", "accounting", "sreport", "cost"]),
    Verb(
      name: .show, operands: .any(.anyJob), flags: [.states, .outcomes, .json],
      summary: "Show everything about a job.",
      details: [
        "\"awaited by\" lists the jobs that wait for its end. " + JobOperand.helpLatest
      ],
      json: """
        One job per line, with "awaitedBy" if others wait for its end: their numbers, at most the \
        first 1,000.
        """,
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
        --explain prints the recognised progress instead of the output: each change while a client \
        watched, with its time, its rule and its source line. Include it when you report wrong \
        progress; until that is fixed, --progress REGEX finds other progress, and --progress none \
        turns recognition off.
        """,
        """
        -f continues until the job has ended; Ctrl-C leaves, and the job keeps running. Without ID, \
        and if other jobs run or wait, it follows all that run and all that start meanwhile, until \
        none runs. Lines of several jobs have a tag.
        """,
        JobOperand.helpLatest
          + " Several jobs are printed in the order of their numbers, which is that of"
          + " their inputs, each with a heading.",
      ],
      json: """
        {"number":12,"line":1,"text":"…"} for each line of the log; a line longer than 64 KiB is \
        split into pieces with the same line number. With --explain \
        {"number":12,"at":"…","attempt":1,"progress":{…}} for each change, with the "progress" of \
        list; null where no progress was certain any more.
        """,
      examples: [
        "log 12", "log @ -n 50 -f", "log -f", "log group:render --tag", "log --explain @",
      ],
      knownElsewhereAs: ["logs", "output", "cat", "less"]),
    Verb(
      name: .wait, operands: .any("ID"),
      flags: [.allLive, .newJobs, .any, .failFast, .until, .timeout, .json],
      summary: "Wait until jobs have ended; exit with the first code that is not 0.",
      details: [
        "After Ctrl-C or a timeout, it exits with 122, and the jobs keep running. --timeout 0 only"
          + " asks: it exits with 122 if they have not ended.",
        "A single range or group is shown as one line, as with attach.",
        "Without ID, it waits for the latest job that runs, else for the only one that waits, else"
          + " for the latest; with --all, for every job that is running or waiting now, and with"
          + " --new until there are no more.",
      ],
      json: "One job per line, as they end; for several, the numbers of succeeded, failed"
        + " and cancelled ones.",
      examples: ["wait 12", "wait --all --new", "wait 12 --until running --timeout 5m"]),
    Verb(
      name: .feed, operands: .none, flags: [.since, .json],
      summary: "Print the events of all jobs as they happen, one JSON object per line.",
      details: ["The feed begins with a snapshot of every running or waiting job."],
      json: "The same; the feed is always JSON.",
      examples: ["feed --since 4711"],
      knownElsewhereAs: ["events"]),
  ]
}
