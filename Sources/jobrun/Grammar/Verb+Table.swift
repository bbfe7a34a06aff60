extension Verb {
  /// Verbs that belong together, with their heading in `jobrun help`.
  static let groups: [(heading: String, verbs: [Verb])] = [
    ("Start", starting), ("Watch", watching + picturing), ("Steer", steering),
    ("Queue", arranging), ("Set up", settingUp), ("Define", definitions), ("Scripts", reporting),
  ]

  /// Every verb, in the order of the help.
  static let all: [Verb] = groups.flatMap { $0.verbs }

  /// The verb with this name; verbs that start jobs do not load the texts of all others.
  static func named(_ name: Name) -> Verb? {
    starting.first { $0.name == name } ?? all.first { $0.name == name }
  }

  static let keys = """
    On a terminal Ctrl-C cancels the job (again: kills it now), d leaves it running, p pauses it or lets \
    it go on, y and n answer a question. Closing the terminal leaves it running, too.
    """

  static let after = """
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

  private static let ends = """
    --on-end COMMAND runs once, in the job's folder and environment, when the job has ended; variables \
    say how it ended (man jobrun lists them). What it prints goes to the job's log, and after a minute it \
    is killed. jobrun submit, run and wait do not wait for it.
    """

  static let codes = """
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
        after, priorities, ends, codes,
      ],
      json: """
        The job when it is accepted, then its feed lines, and the job again when it has ended; with \
        --detach only the first.
        """,
      examples: [
        "submit export --title \"Trip 2026\" -- photos photos.zip", "help export",
        "submit io.jobrun.samples.export.trip --detach -- photos",
      ],
      knownElsewhereAs: ["begin"]),
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
        input, after, priorities, ends, codes,
      ],
      json: "The same as with submit.",
      examples: [
        "run -- make -j8",
        "run --title Backup -f -- rsync -a notes/ /mnt/notes/", "run --pty -- cargo build",
        "run --progress 'step ([0-9]+) of ([0-9]+)' -- ./train",
      ],
      knownElsewhereAs: ["execute", "do"]),
    each, submitFile,
    Verb(
      name: .schedule, operands: .optional("JOB"), takesArguments: true,
      flags: [
        .every, .at, .earliest, .require, .priority, .on, .title, .subtitle, .limit, .grace,
        .retries,
        .onEnd, .stdin, .hideCommand, .jobs, .json,
      ],
      summary: "Let the runner start a job when the moment is right, or a command again and again.",
      details: [
        """
        Without JOB, what follows -- is a command, which runs at a time (--at, --earliest) or again and \
        again (--every). Days and --at follow the local clock, also when summer time begins or ends. Runs \
        never overlap: the next waits for the one before to end. Runs that were missed because the machine \
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
}
