extension Verb {
  /// Every verb, in the order of the help.
  static let all: [Verb] = starting + watching + steering + definitions + reporting

  /// The verb with this name; those that start jobs pay for no other's words.
  static func named(_ name: Name) -> Verb? {
    starting.first { $0.name == name } ?? all.first { $0.name == name }
  }

  private static let keys = """
    On a terminal Ctrl-C cancels the job (again: kills it now), d leaves it running, y and n answer \
    a question. Closing the terminal leaves it running, too.
    """

  private static let after = """
    --after 12,@ waits until job 12 and the latest job have succeeded. If one of them ends in any other \
    way, the job is refused (69), and so is whatever waits for it. A job that will be tried again has not \
    ended. --after-any waits for the end only, whatever it is. jobrun redo on the refused job waits again \
    for those that have been redone, and is refused as long as one of them stays failed.
    """

  private static let input = """
    A pipe or file on standard input is what the job reads; --stdin FILE is another file, --stdin none \
    nothing. A terminal is never read. While you stay, a pipe is passed on as it is; with --detach or \
    --retries it is copied first, to its end. Each attempt, and jobrun redo, reads a copy or a file from \
    its start; what came through a pipe cannot be read again, so such a job cannot be redone (69). In a \
    loop that reads lines itself, write --stdin none.
    """

  private static let columns = """
    Columns of --format: \(JobColumn.allCases.map(\.rawValue).joined(separator: ", ")). Their names \
    never change; what is not known is empty; times are UTC, durations seconds, sizes bytes.
    """

  private static let ends = """
    --on-end COMMAND runs once, in the job's folder and environment, when the job has ended; variables \
    say how it ended (man jobrun lists them). What it prints goes to the job's log, and after a minute it \
    is killed. jobrun submit, run and wait do not wait for it.
    """

  private static let codes = """
    The exit code is the job's; 124 means that it expired, 130 that it was cancelled, 122 that you left \
    and it goes on.
    """

  private static let starting: [Verb] = [
    Verb(
      name: .submit, operands: .one("JOB"), takesArguments: true,
      flags: Flag.ofSubmissions + [.jobs],
      summary: "Start a job and show its progress until it ends.",
      details: [
        keys,
        """
        JOB is the name of a definition (jobrun jobs lists them, jobrun help JOB explains one), or an \
        identifier below its prefix.
        """,
        after, ends, codes,
      ],
      json: """
        The job when it is accepted, then its feed lines, and the job again when it has ended; with \
        --detach only the first.
        """,
      examples: [
        "submit export --title \"Trip 2026\" -- photos photos.zip", "help export",
        "submit io.jobrun.samples.export.trip --detach -- photos",
      ],
      knownElsewhereAs: ["start"]),
    Verb(
      name: .run, operands: .command, flags: Flag.ofSubmissions + [.progress, .pty],
      summary: "Run any command as a job.",
      details: [
        keys,
        """
        The command is looked up on PATH and gets its arguments as they are. What it prints goes to the \
        job's log (jobrun log ID); -f shows it as it comes.
        """,
        """
        Its progress is recognised without its help: by what it tells the terminal's taskbar, by what \
        many programs print (rsync, curl, ffmpeg, tqdm, pip, apt, cargo, ninja, git, docker, JSON \
        lines), by an n/m or else a percentage that grows, else by how far it has read the one file that \
        it was told to read. A bar inside epoch 3/10 is a share of the third; one that begins again is \
        shown as round 2, without a time left. What is not certain is not shown; jobrun show says what \
        recognised it.
        """,
        """
        --progress make asks make -n for the commands to come before it submits, and counts those that \
        make prints.
        """,
        input, after, ends, codes,
      ],
      json: "The same as with submit.",
      examples: [
        "run -- make -j8",
        "run --title Backup -f -- rsync -a notes/ /mnt/notes/", "run --pty -- cargo build",
        "run --progress 'step ([0-9]+) of ([0-9]+)' -- ./train",
      ],
      knownElsewhereAs: ["execute", "do"]),
    Verb(
      name: .schedule, operands: .optional("JOB"), takesArguments: true,
      flags: [
        .every, .at, .earliest, .require, .title, .subtitle, .limit, .grace, .retries, .onEnd,
        .stdin, .hideCommand, .jobs, .json,
      ],
      summary: "Let the runner start a job when the moment is right, or a command again and again.",
      details: [
        """
        Without JOB, what follows -- is a command, which runs at a time (--at, --earliest) or again and \
        again (--every). Days and --at follow the local clock, through summer time, too. Runs never \
        overlap: the next waits for the end of the one before. Runs that were missed because the machine \
        was off or asleep are made up for by one. Cancelling the run that waits ends the series.
        """,
        """
        JOB is a definition of the kind processing or refresh. The runner starts it once its time has \
        come and what it requires is there, and remembers it across restarts of the machine. A second \
        request with the same identifier replaces the one that waits.
        """,
        """
        A refresh may run for 30 s and a processing task for 10 min, unless "limit" in its job.json \
        says otherwise. A processing task is stopped if the power or network that it needs goes away. \
        One refresh and ten processing requests of a bundle may wait; one more is refused (75).
        """,
        "jobrun pending shows what waits, jobrun simulate launch ID starts it now.",
      ],
      json: "The request, which is a job.",
      examples: [
        "schedule vacuum --earliest 03:00 --require power -- ~/notes",
        "schedule refresh --earliest +2h", "schedule --every 1d --at 03:00 -- ./backup.sh",
      ],
      knownElsewhereAs: ["at", "cron", "crontab", "batch", "later", "every"]),
  ]

  private static let watching: [Verb] = [
    Verb(
      name: .attach, operands: .one("ID"), flags: [.follow, .bell, .plain, .json],
      summary: "Watch a job from this terminal, and steer it with keys.", details: [keys, codes],
      json: """
        The feed lines of the job, a snapshot first, and the job when it has ended.
        """,
      examples: ["attach 12"], knownElsewhereAs: ["fg", "follow", "tail"]),
    Verb(
      name: .watch, operands: .none, flags: [.json],
      summary: "Watch all jobs, live, and steer them with keys.",
      details: [
        """
        Arrows, PgUp and PgDn select a job. Enter attaches to it, and d comes back; l shows its log; y \
        and n answer its question; c cancels it, after asking. / shows only jobs with what is typed in \
        their title, definition, identifier or number. ? lists the keys. Ctrl-C or q leaves, and all \
        jobs go on.
        """
      ],
      json: "The same as with feed.",
      knownElsewhereAs: ["top", "monitor", "dashboard"]),
    Verb(
      name: .list, operands: .none, flags: [.all, .format, .json],
      summary: "Show the jobs that run or wait; jobrun alone does the same.",
      details: [columns],
      json: "One job per line, by number.",
      examples: ["list --all --format number,state,percent,title"],
      knownElsewhereAs: ["ls", "ps", "status", "squeue"]),
    Verb(
      name: .pending, operands: .none, flags: [.json],
      summary: "Show what waits: until when, or for what and since when.",
      json: "One waiting job per line, by number.",
      knownElsewhereAs: ["scheduled", "waiting", "atq"]),
    Verb(
      name: .history, operands: .none,
      flags: [
        .historyLimit, .historySince, .historyUntil, .titlePart, .outcome, .definition, .format,
        .json,
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
      name: .show, operands: .one(.anyJob), flags: [.json],
      summary: "Show everything about one job.",
      json: "The job.",
      knownElsewhereAs: ["info", "inspect", "describe"]),
    Verb(
      name: .log, operands: .one(.anyJob), flags: [.lines, .follow, .json],
      summary: "Print the output of a job, of all its attempts.",
      details: ["-f goes on until the job has ended; Ctrl-C leaves, and the job goes on."],
      json: """
        {"number":12,"line":1,"text":"…"} for each line of the log; a line longer than 64 KiB comes \
        in pieces with the same line number.
        """,
      examples: ["log 12", "log @ -n 50 -f"],
      knownElsewhereAs: ["logs", "output", "cat", "less"]),
    Verb(
      name: .wait, operands: .oneOrMore("ID"), flags: [.any, .timeout, .json],
      summary: "Wait until jobs have ended; exit with the first code that is not 0.",
      details: ["After Ctrl-C or a timeout it exits with 122, and the jobs go on."],
      json: "One job per line, as they end."),
    Verb(
      name: .feed, operands: .none, flags: [.since, .json],
      summary: "Print what happens to all jobs as it happens, one JSON object per line.",
      details: ["It begins with a snapshot of every job that runs or waits."],
      json: "The same; the feed is always JSON.",
      examples: ["feed --since 4711"],
      knownElsewhereAs: ["events"]),
  ]

  private static let steering: [Verb] = [
    Verb(
      name: .cancel, operands: .oneOrMoreUnless("ID", .cancelAll),
      flags: [.cancelAll, .now, .json], summary: "Stop jobs.",
      details: ["A job is told to stop and has its grace time to do so; then it is killed."],
      json: """
        One job per line, as it is once it has been told to stop; an error for each that could not be.
        """,
      examples: ["cancel 12", "cancel --all"],
      knownElsewhereAs: ["kill", "stop", "abort", "scancel", "end"]),
    Verb(
      name: .redo, operands: .one(.endedJob), flags: [.force, .json],
      summary: "Let a job that ended without success make another attempt.",
      details: [
        """
        It keeps its number, command, folder and environment. A resumable job finds what it left in \
        JOBRUN_STATE_DIR and continues from there; for any other that folder is empty again.
        """,
        """
        The jobs that it comes after (--after) must succeed first: it waits for those that are being \
        redone, and is refused (69) while one of them stays failed; --force runs it anyway.
        """,
      ],
      json: "The job, which waits or starts again.",
      examples: ["redo 12"], knownElsewhereAs: ["retry", "restart", "rerun", "requeue"]),
    Verb(
      name: .forget, operands: .oneOrMore(.endedJob), flags: [.json],
      summary: "Delete what is kept of ended jobs: their record, output and state folder.",
      json: "One job per line, as it was; an error for each that could not be deleted.",
      examples: ["forget 12", "forget @"], knownElsewhereAs: ["clean", "prune", "purge"]),
    Verb(
      name: .continue, operands: .one("ID"), flags: [.no, .json],
      summary: "Answer a stalled job's question: continue, or with --no, stop.",
      json: "The job after the answer.",
      examples: ["continue 12", "continue 12 --no"],
      knownElsewhereAs: ["resume", "answer", "yes"]),
    Verb(
      name: .simulate, operands: .two(.event, "ID"), flags: [.json],
      summary: "Act as if a job had fallen silent, had stalled, or were due.",
      details: [
        "EVENT is expire, stall or launch.",
        """
        launch starts a scheduled job that waits, whatever the time, the power and the network, and \
        none of these stops it afterwards.
        """,
      ],
      json: "The job after the event.",
      examples: ["simulate expire 12", "simulate launch io.jobrun.samples.refresh"]),
    Verb(
      name: .slots, operands: .optional(Operand("N", .free)), flags: [.json],
      summary: "Show or set how many jobs run at the same time.",
      details: [
        """
        It takes effect at once and lasts: config.json is updated, and keeps its comments. With more slots, \
        jobs that wait start; with fewer, what runs goes on until it ends.
        """
      ],
      json: """
        {"slots","running","queued"}; the last two are null while no runner is running.
        """,
      examples: ["slots", "slots 4"], knownElsewhereAs: ["parallel", "concurrency", "workers"]),
    Verb(
      name: .runner, operands: .one(.runnerAction), flags: [.json],
      summary: "Show, stop or restart the background runner, or start it at login.",
      details: [
        "ACTION is status, stop, restart, enable or disable.",
        """
        stop ends all jobs as interrupted, but keeps what is scheduled for the next runner; restart \
        leaves them running.
        """,
        """
        enable writes a systemd unit that starts the runner when you log in, and says how to start it \
        without a login; disable removes it.
        """,
      ],
      json: """
        status: \
        {"pid","version","started","home","socket","live","queued","running","slots",…} with \
        "notifications": {"on","why"}; the others, and when none is running, \
        {"action":"stop","done":true,"message":"…"}.
        """,
      knownElsewhereAs: ["daemon", "shutdown", "server"]),
  ]

  private static let definitions: [Verb] = [
    Verb(
      name: .jobs, operands: .none, flags: [.jobs, .json],
      summary: "Show the jobs that are defined, and where they were looked for.",
      details: ["jobrun help NAME explains one of them."],
      json: """
        One definition per line: \
        {"name","identifier","title","subtitle","about","usage","arguments","command", \
        "requires","bundle","folder"}, and in arguments {"name","required","about"}.
        """,
      knownElsewhereAs: ["definitions", "bundles"]),
    Verb(
      name: .new, operands: .one(Operand("NAME", .free)), flags: [.language, .package, .json],
      summary: "Write a definition that works at once, for you to change.",
      details: [
        """
        It goes into the nearest jobs folder with a bundle.json, at or above the current folder; if \
        there is none, ./jobs becomes one. Then jobrun submit NAME runs it.
        """,
        """
        A job in Swift is a package. "build" in its job.json says how to build it, which jobrun submit and \
        schedule do when the executable is missing or a source is newer.
        """,
      ],
      json: """
        {"name":"backup","folder":"…"}.
        """,
      examples: ["new backup", "new squares --language python"],
      knownElsewhereAs: ["init", "create", "template"]),
    Verb(
      name: .register, operands: .one("DIR"), flags: [.json],
      summary: "Make the jobs of a bundle known everywhere, not only below its folder.",
      json: "One definition per line, as with jobs.",
      examples: ["register ./jobs"],
      knownElsewhereAs: ["install"]),
    Verb(
      name: .resources, operands: .none, flags: [.json],
      summary: "Show what this machine has, how much of it is taken, and how that is known.",
      json: """
        {"gpu","power","network","memory","disk","processors","slots",…}, each with its why.
        """,
      knownElsewhereAs: ["gpus", "machine"]),
  ]

  private static let reporting: [Verb] = [
    Verb(
      name: .progress, operands: .none,
      flags: [
        .completed, .advance, .total, .unit, .title, .subtitle, .quietFor, .strict, .json,
      ],
      summary: "Report progress from inside a job, in any language.",
      details: [
        """
        It writes to the page that JOBRUN_PAGE names. Where that is not set, outside a job, it does \
        nothing, so that a script can be run by hand; --strict makes that an error (64).
        """,
        """
        Once the job has been told to stop, it exits with 130, which ends a script with set -e; without \
        that, write jobrun progress --advance 1 || exit.
        """,
      ],
      json: "The progress after the report, as in a job.",
      examples: ["progress --total 120 --unit items", "progress --advance 1 --subtitle a.txt"]),
    Verb(
      name: .completions, operands: .one(.shell), takesArguments: true, argumentName: "WORD",
      flags: [.json], summary: "Print the completion script for a shell.",
      details: [
        """
        SHELL is bash, zsh or fish. make install puts all three in place; without it: \
        eval "$(jobrun completions bash)" in ~/.bashrc, the same with zsh in ~/.zshrc after \
        compinit, jobrun completions fish | source in config.fish.
        """,
        """
        With words after --, print what may complete the last of them: a word per line, its meaning \
        after a tab. The scripts call this.
        """,
      ],
      json: """
        {"shell","script"}; with words after --, {"word","summary"} for each that may stand \
        there.
        """,
      examples: ["completions bash", "completions fish -- submit --strategy q"]),
    Verb(
      name: .help, operands: .optional(.topic), flags: [.man, .jobs, .json],
      summary: "Explain jobrun, one of its verbs, or a job that is defined.",
      details: ["If a verb and a job share the name, the verb is explained."],
      json: """
        One verb per line: {"verb","usage","summary","details","json","flags","examples"}; for a \
        definition, what jobs prints.
        """,
      examples: ["help run", "help export"],
      knownElsewhereAs: ["man", "usage"]),
  ]
}
