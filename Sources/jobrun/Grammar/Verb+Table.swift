extension Verb {
  /// Every verb, in the order of the help.
  static let all: [Verb] = starting + watching + steering + definitions + reporting

  /// The verb with this name; those that start jobs pay for no other's words.
  static func named(_ name: Name) -> Verb? {
    starting.first { $0.name == name } ?? all.first { $0.name == name }
  }

  /// How a submission may be shaped; `submit` and `run` share it.
  private static let submission: [Flag] = [
    .title, .subtitle, .strategy, .require, .detach, .ifExists, .onStall, .stallAfter,
    .silentAfter, .grace, .limit, .notBefore, .onEnd, .bell, .after, .follow, .plain, .json,
  ]

  private static let keys = """
    On a terminal Ctrl-C cancels the job (again: kills it now), d detaches, y and n answer a \
    question. Closing the terminal detaches: the job goes on.
    """

  private static let after = """
    --after 12,@ waits until job 12 and the latest job have succeeded. If one of them ends in any other \
    way, the job is refused (69), and what comes after it, too. A job that is tried again or comes back \
    later has not ended. jobrun redo on the refused job waits for what is live again.
    """

  private static let columns = """
    Columns of --format: \(JobColumn.allCases.map(\.rawValue).joined(separator: ", ")). They keep \
    their names and their order; what is not known is empty; lengths are in seconds, sizes in bytes.
    """

  private static let ends = """
    --on-end COMMAND is run once, in the job's folder and environment, after its end was stored; the \
    environment also says how it ended (man jobrun lists the variables). What it prints goes to \
    the job's log; after a minute it is killed. jobrun submit, run and wait do not wait for it.
    """

  private static let codes = """
    The exit code is that of the job; 124: it expired, 130: it was cancelled, 122: you left and it \
    goes on.
    """

  private static let starting: [Verb] = [
    Verb(
      name: .submit, operands: .one("JOB"), takesArguments: true, flags: submission + [.jobs],
      summary: "Start a job and show its progress until it ends.",
      details: [
        "JOB is the name of a definition (see jobrun jobs), or an identifier below its prefix.",
        after, ends, keys, codes,
      ],
      json: """
        The job as it was accepted, then its feed lines, and the job once more when it has \
        ended; with --detach the first only.
        """,
      examples: [
        "submit export --title \"Trip 2026\"", "submit export -- photos photos.zip",
        "submit io.jobrun.samples.export.trip --detach",
      ],
      knownElsewhereAs: ["add", "start", "queue", "enqueue", "sbatch"]),
    Verb(
      name: .run, operands: .command, flags: submission + [.progress, .pty],
      summary: "Run any command as a job.",
      details: [
        "The command is looked for on PATH and gets its arguments verbatim.",
        "What it prints goes to the job's log (jobrun log ID); -f shows it as it comes.",
        """
        Its progress is seen without its help: by what it tells the terminal's taskbar, by the forms \
        that rsync, curl, wget, ffmpeg, dd, tqdm, pip, apt, cargo, ninja, make, ctest and Swift's builds \
        write, by a percentage or n/m that grows, else by how far it is in the largest file it reads. \
        jobrun show says which it was.
        """,
        after, ends, keys, codes,
      ],
      json: "As of submit.",
      examples: [
        "run -- make -j8", "run --after 12 -- make install",
        "run --title Backup -f -- rsync -a notes/ /mnt/notes/",
        "run --progress 'step ([0-9]+) of ([0-9]+)' -- ./train",
      ],
      knownElsewhereAs: ["exec", "srun"]),
    Verb(
      name: .schedule, operands: .one("JOB"), takesArguments: true,
      flags: [.earliest, .require, .title, .subtitle, .limit, .jobs, .json],
      summary: "Ask for a job at a good moment: not before a time, on power, with a network.",
      details: [
        """
        JOB is a definition of the kind processing or refresh. The runner starts it when its time \
        has come and what it requires is there, and waits on across restarts of the machine. The \
        same identifier again replaces the request that waits.
        """,
        """
        A refresh may run for 30 s, a processing task for 10 min; "limit" in job.json says \
        otherwise. A processing task is stopped when power or network go away while it runs. One \
        refresh and ten processing requests of a bundle may wait (75 for one more).
        """,
        "jobrun pending shows what waits, jobrun simulate launch ID starts it now.",
      ],
      json: "The request as a job.",
      examples: [
        "schedule vacuum --earliest 03:00 --require power -- ~/notes",
        "schedule refresh --earliest +2h",
      ],
      knownElsewhereAs: ["at", "cron", "batch", "later"]),
  ]

  private static let watching: [Verb] = [
    Verb(
      name: .attach, operands: .one("ID"), flags: [.follow, .bell, .plain, .json],
      summary: "Watch a job from this terminal, and steer it with keys.", details: [keys, codes],
      json: """
        The feed lines of the job, the first being a snapshot, and the job when it has \
        ended.
        """,
      examples: ["attach 12"], knownElsewhereAs: ["fg", "follow", "tail"]),
    Verb(
      name: .watch, operands: .none, flags: [.json],
      summary: "Watch all jobs, live, and steer them with keys.",
      details: [
        """
        j, k and the arrows select a job; y and n answer its question; c cancels it, after asking; \
        Ctrl-C or q leaves, and all jobs go on.
        """
      ],
      json: "As of feed.",
      knownElsewhereAs: ["top", "monitor", "dashboard"]),
    Verb(
      name: .list, operands: .none, flags: [.all, .format, .json],
      summary: "Show the jobs that have not ended. This is also what jobrun alone does.",
      details: [columns],
      json: "One job a line, ascending by number.",
      examples: ["list --all --format number,state,percent,title"],
      knownElsewhereAs: ["ls", "ps", "status"]),
    Verb(
      name: .pending, operands: .none, flags: [.json],
      summary: "Show what waits: for what, since when, and until when.",
      json: "One waiting job a line, ascending by number.",
      knownElsewhereAs: ["scheduled", "waiting", "atq", "squeue"]),
    Verb(
      name: .history, operands: .none,
      flags: [.historyLimit, .outcome, .historySince, .definition, .format, .json],
      summary: "Show the jobs that have ended, the latest first.",
      details: [
        "Kept are the latest 10,000 of the last 90 days; historyLimit in config.json changes that."
      ],
      json: "One ended job a line, the latest first.",
      examples: ["history --outcome failed --since 2d", "history --definition export --limit 0"],
      knownElsewhereAs: ["past", "sacct"]),
    Verb(
      name: .show, operands: .one(.anyJob), flags: [.json],
      summary: "Show everything that is known about one job.",
      json: "The job.",
      knownElsewhereAs: ["info", "inspect", "describe"]),
    Verb(
      name: .log, operands: .one(.anyJob), flags: [.follow, .json],
      summary: "Print what a job has written.",
      details: ["With -f, until the job has ended; Ctrl-C only leaves."],
      json: """
        {"number":12,"line":1,"text":"…"} for each line of the log; a line of more than 64 \
        KiB comes in pieces with the same number.
        """,
      knownElsewhereAs: ["logs", "output", "cat"]),
    Verb(
      name: .wait, operands: .oneOrMore("ID"), flags: [.any, .timeout, .json],
      summary: "Wait until jobs have ended; exit with the first code that is not 0.",
      details: ["Ctrl-C and a timeout only leave (122); the jobs go on."],
      json: "One job a line, as they end."),
    Verb(
      name: .feed, operands: .none, flags: [.since, .json],
      summary: "Print what happens to all jobs, as one JSON object per line.",
      details: ["Begins with a snapshot of every live job."],
      json: "Feed lines, with or without --json.",
      examples: ["feed --since 4711"],
      knownElsewhereAs: ["events"]),
  ]

  private static let steering: [Verb] = [
    Verb(
      name: .cancel, operands: .oneOrMoreUnless("ID", .cancelAll),
      flags: [.cancelAll, .now, .json], summary: "Stop jobs.",
      details: ["A job gets its grace time to leave things in order; then it is killed."],
      json: """
        One job a line, as it is after it was told to stop; an error for each that could not \
        be.
        """,
      examples: ["cancel 12", "cancel --all"],
      knownElsewhereAs: ["kill", "stop", "rm", "remove", "abort", "delete", "scancel"]),
    Verb(
      name: .redo, operands: .one(.endedJob), flags: [.json],
      summary: "Let a job that ended without success make another attempt.",
      details: [
        """
        It keeps its number, command, folder and environment. A resumable job finds what it had \
        left in JOBRUN_STATE_DIR and goes on there; for others that folder is empty again.
        """
      ],
      json: "The job, waiting or starting anew.",
      examples: ["redo 12"], knownElsewhereAs: ["retry", "restart", "rerun", "requeue"]),
    Verb(
      name: .forget, operands: .oneOrMore(.endedJob), flags: [.json],
      summary: "Remove what is kept of jobs that have ended: record, output and state folder.",
      json: "One job a line, as it was; an error for each that could not be removed.",
      examples: ["forget 12", "forget @"], knownElsewhereAs: ["clean", "prune", "purge"]),
    Verb(
      name: .continue, operands: .one("ID"), flags: [.no, .json],
      summary: "Answer the question of a stalled job: yes, or with --no, no.",
      json: "The job after the answer.",
      examples: ["continue 12", "continue 12 --no"],
      knownElsewhereAs: ["resume", "answer", "yes"]),
    Verb(
      name: .simulate, operands: .two(.event, "ID"), flags: [.json],
      summary: "Act as if a job had been silent, had stalled, or as if its time had come.",
      details: [
        "EVENT is expire, stall or launch.",
        """
        launch starts a scheduled job that waits, whatever the time, the power and the network; \
        none of these stops it then.
        """,
      ],
      json: "The job after the event.",
      examples: ["simulate expire 12", "simulate launch io.jobrun.samples.refresh"]),
    Verb(
      name: .runner, operands: .one(.runnerAction), flags: [.json],
      summary: "Show, stop or restart the background runner, or start it at login.",
      details: [
        "ACTION is status, stop, restart, enable or disable.",
        """
        stop ends all jobs (they become interrupted), but keeps what is scheduled for the next \
        runner; restart leaves them running.
        """,
        """
        enable writes a unit for systemd, so that the runner starts when you log in, and says when \
        lingering is needed for more; disable removes it.
        """,
      ],
      json: """
        status: \
        {"pid","version","started","home","socket","live","queued","running","slots",…}, and in \
        it "notifications": {"on","why"}; \
        else, and when none is running, {"action":"stop","done":true,"message":"…"}.
        """,
      knownElsewhereAs: ["daemon", "shutdown", "server"]),
  ]

  private static let definitions: [Verb] = [
    Verb(
      name: .jobs, operands: .none, flags: [.jobs, .json],
      summary: "Show the definitions that can be submitted, and where they were looked for.",
      json: """
        One definition a line: \
        {"name","identifier","title","subtitle","command","requires","bundle","folder"}.
        """,
      knownElsewhereAs: ["definitions", "bundles"]),
    Verb(
      name: .new, operands: .one(Operand("NAME", .free)), flags: [.language, .package, .json],
      summary: "Write a definition that works at once, for you to change.",
      details: [
        """
        It goes to the nearest folder jobs with a bundle.json, at or above the current folder; \
        without one, a bundle is begun in ./jobs. Then jobrun submit NAME runs it.
        """
      ],
      json: """
        {"name":"backup","folder":"…"}.
        """,
      examples: ["new backup", "new squares --language python"],
      knownElsewhereAs: ["init", "create", "template"]),
    Verb(
      name: .register, operands: .one("DIR"), flags: [.json],
      summary: "Make the definitions of a bundle known everywhere.",
      json: "One definition a line, as of jobs.",
      examples: ["register ./jobs"],
      knownElsewhereAs: ["install"]),
    Verb(
      name: .resources, operands: .none, flags: [.json],
      summary: "Show what this machine has, what is taken of it, and why.",
      json: """
        {"gpus","power","network","memory","disk","processors","slots",…}, each with why it \
        is so.
        """,
      knownElsewhereAs: ["gpus", "machine"]),
  ]

  private static let reporting: [Verb] = [
    Verb(
      name: .progress, operands: .none,
      flags: [.completed, .advance, .total, .unit, .title, .subtitle, .quietFor, .json],
      summary: "Report progress from inside of a job, in any language.",
      details: [
        "Writes to the page that JOBRUN_PAGE names.",
        """
        Once the job is told to stop, it exits with 130: that ends a script with set -e; another one \
        asks for it, as in: jobrun progress --advance 1 || exit. Else 0.
        """,
      ],
      json: "The progress after the report, as in a job.",
      examples: ["progress --total 120 --unit items", "progress --advance 1 --subtitle a.txt"]),
    Verb(
      name: .completions, operands: .one(.shell), takesArguments: true, argumentName: "WORD",
      flags: [.json], summary: "Print the script that lets a shell complete jobrun's words.",
      details: [
        """
        SHELL is bash, zsh or fish. make install puts all three in place; without it: \
        eval "$(jobrun completions bash)" in ~/.bashrc, the same with zsh in ~/.zshrc after \
        compinit, jobrun completions fish | source in config.fish.
        """,
        """
        With words behind --, say what may stand for the last of them: a word a line, its meaning \
        after a tab. That is what the scripts ask.
        """,
      ],
      json: """
        {"shell","script"}; with words behind --, {"word","summary"} for each that may stand \
        there.
        """,
      examples: ["completions bash", "completions fish -- submit --strategy q"]),
    Verb(
      name: .help, operands: .optional("VERB"), flags: [.man, .json],
      summary: "Say how jobrun, or one verb, is used.",
      json: """
        One verb a line: {"verb","usage","summary","details","json","flags","examples"}.
        """,
      knownElsewhereAs: ["man", "usage"]),
  ]
}
