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
    On a terminal, Ctrl-C cancels the job (again: kills it now), d leaves it running, p pauses and \
    resumes it, y and n answer a question. Closing the terminal leaves it running, too.
    """

  static let after = """
    --after 12,@ waits until job 12 and the latest job have succeeded. If one of them ends in any \
    other way, the job is refused (69), and so is every job that waits for it. A job that will be \
    retried has not ended. --after-any waits for the end only, with any outcome. jobrun redo on \
    the refused job waits for the jobs that are being redone, and is refused while one of the \
    others has failed.
    """

  private static let input = """
    A pipe or file on standard input becomes the input of the job; --stdin FILE reads another \
    file, --stdin none nothing. A terminal is never read. While you watch, a pipe is passed on as \
    it is; with --detach or --retries it is first copied to its end. Each attempt, and jobrun \
    redo, reads a copy or a file from its start; a pipe can be read only once, so such a job \
    cannot be redone (69). In a shell loop that reads lines itself, write --stdin none.
    """

  private static let ends = """
    --on-end COMMAND runs once when the job has ended, in the job's folder and environment; \
    variables describe the end (man jobrun lists them). Its output goes to the job's log, and it \
    is killed after a minute. jobrun submit, run and wait do not wait for it.
    """

  static let codes = """
    The exit code is that of the job; 124 means that it expired, 130 that it was cancelled, 122 \
    that you left and it is still running.
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
        The job when it is accepted, then its feed lines, and the job again when it has ended; \
        with --detach only the first object.
        """,
      examples: [
        "submit export --title \"Trip 2026\" -- photos photos.zip", "help export",
        "submit io.jobrun.samples.export.trip --detach -- photos",
      ],
      knownElsewhereAs: ["begin"]),
    Verb(
      name: .run, operands: .command, flags: Flag.ofSubmissions + [.progress, .pty, .interactive],
      summary: "Run any command as a job.",
      details: [
        keys,
        """
        The command is looked up on PATH and gets its arguments unchanged. Its output goes to the \
        job's log (jobrun log ID); -f also prints it to your terminal.
        """,
        """
        Progress is recognised in the output: the taskbar sequence OSC 9;4, the output of many \
        programs (rsync, curl, ffmpeg, tqdm, pip, apt, cargo, ninja, git, docker, JSON lines), any \
        n/m, otherwise a growing percentage. If the output shows no progress, the position in the \
        only file on the command line is used. A bar inside epoch 3/10 is a share of the third \
        epoch; a bar that starts over is shown as phase 2, without a time left. Only certain \
        progress is shown; jobrun show says what was recognised.
        """,
        """
        Options may stand in the script itself: lines such as #JOBRUN --limit 2h --require gpu=1 \
        among the comments at the beginning of ./script. Options on the command line win. The \
        verbs each and schedule read them, too.
        """,
        """
        --progress make lists the commands with make -n before the job is submitted, and counts \
        those that make prints.
        """,
        input, after, priorities, ends, codes,
      ],
      json: "The same as with submit.",
      examples: [
        "run -- make -j8",
        "run --title Backup -f -- rsync -a notes/ /mnt/notes/", "run --pty -- cargo build",
        "run --progress 'step ([0-9]+) of ([0-9]+)' -- ./train",
        "run --stdout 'out-%j.txt' -- ./train",
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
      summary: "Schedule a job for a good moment, or a command to run repeatedly.",
      details: [
        """
        Without JOB, the words after -- are a command, which runs at a time (--at, --earliest) or \
        repeatedly (--every, or --at with days). Days and --at follow the local clock, including daylight saving \
        time. Runs never overlap: the next one waits for the end of the one before. If the \
        machine was off or asleep, all missed runs are replaced by a single one. Cancelling the \
        waiting run ends the series.
        """,
        """
        JOB is a definition of the kind processing or refresh. The runner starts it once its time \
        has come and its requirements are met; requests survive restarts of the machine. A second \
        request with the same identifier replaces the waiting one.
        """,
        """
        A refresh may run for 30 s and a processing task for 10 min, unless "limit" in its \
        job.json says otherwise. A processing task is stopped when the power or network that it \
        requires is lost. One refresh and ten processing requests of a bundle can wait; another \
        one is refused (75).
        """,
        "jobrun pending shows the waiting jobs; jobrun simulate launch ID starts one now.",
      ],
      json: "The request, as a job.",
      examples: [
        "schedule vacuum --earliest 03:00 --require power -- ~/notes",
        "schedule refresh --earliest +2h", "schedule --every 1d --at 03:00 -- ./backup.sh",
        "schedule --at \"mon-fri 03:00\" -- ./report.sh",
      ],
      knownElsewhereAs: ["at", "cron", "crontab", "batch", "later", "every"]),
  ]
}
