extension Verb {
  /// Verbs for existing jobs and for the runner.
  static let steering: [Verb] = [
    Verb(
      name: .cancel, operands: .oneOrMoreUnless("ID", .cancelAll),
      flags: [.cancelAll, .states, .now, .reason, .signal, .json], summary: "Stop jobs.",
      details: [
        "A job is asked to stop, and killed after its grace period.",
        JobOperand.help,
      ],
      json: """
        One job per line, after the request to stop, or the "count" of a range or group; an error \
        for each that could not be stopped.
        """,
      examples: [
        "cancel 12", "cancel group:render", "cancel --state queued", "cancel --all",
        "cancel 12 --reason \"wrong data\"", "cancel 12 --signal INT",
      ],
      knownElsewhereAs: ["kill", "stop", "abort", "scancel", "end"]),
    Verb(
      name: .pause, operands: .oneOrMoreUnless(.runningJobs, .allRunning),
      flags: [.allRunning, .pauseLength, .keepSlot, .json],
      summary: "Pause all processes of jobs, until jobrun resume or for a while.",
      details: [
        """
        A paused job keeps its memory and its GPUs, and its clocks stop: no limit, silence or \
        question runs out. Its slot goes to another job until it is resumed, unless --keep-slot is \
        given. It stays paused if the runner ends or is killed, but not if the machine restarts. \
        jobrun cancel resumes it first, so that it can clean up within its grace period.
        """,
        """
        With --for, the job resumes when that time is over, as if by jobrun resume: it may have to \
        wait for a slot. Another pause of the job replaces the time. The time in which the machine \
        sleeps does not count.
        """,
        """
        A waiting job cannot be paused (jobrun hold keeps it from starting); a task inside another \
        program pauses only if that program supports it (69 otherwise). On a paused job, --keep-slot takes a free \
        slot for it, and without --keep-slot its slot is given away.
        """,
        """
        group:NAME also pauses the group itself: no other job of it starts until jobrun resume \
        group:NAME. It takes no --for.
        """,
        JobOperand.help,
      ],
      json: "One paused job per line; an error for each that could not be paused.",
      examples: ["pause 12", "pause 12 --for 10m", "pause group:render"],
      knownElsewhereAs: ["suspend", "freeze"]),
    Verb(
      name: .resume, operands: .oneOrMoreUnless(.pausedJobs, .allPaused),
      flags: [.allPaused, .json],
      summary: "Resume paused jobs.",
      details: [
        """
        A job whose slot was given away takes the next free one, before any waiting job.
        """,
        JobOperand.help,
      ],
      json: """
        One job per line, running, or paused with a pendingReason; an error for each that was not paused.
        """,
      examples: ["resume 12", "resume --all"],
      knownElsewhereAs: ["unpause", "thaw", "unfreeze"]),
    Verb(
      name: .redo, operands: .oneOrMoreUnless(.endedJob, .allUnsuccessful),
      flags: [
        .allUnsuccessful, .failed, .outcomes, .withDependents, .force, .title, .newPriority,
        .newLimit,
        .newRequire, .newGroup, .hold, .json,
      ],
      summary: "Run ended jobs again.",
      details: [
        """
        A job keeps its number, command, folder and environment, and all options that no flag \
        changes. A resumable job finds its files in JOBRUN_STATE_DIR and continues from there; for \
        any other job, that folder is emptied.
        """,
        """
        The jobs that it comes after (--after) must succeed first: it waits for those that are \
        being redone, and is refused (69) while one of the others has failed; --force runs it \
        anyway.
        """,
        JobOperand.help
          + " Of several jobs, those that did not succeed are run again; --outcome selects others."
          + " With --failed or --outcome it may also be the title that the jobs of one submission"
          + " share, or its beginning.",
      ],
      json: "One waiting or starting job per line; an error for each that could not be run again.",
      examples: [
        "redo 12", "redo group:render --failed", "redo \"Render frame\" --failed",
        "redo 12 --with-dependents",
        "redo group:render --outcome succeeded", "redo 12 --limit 4h",
      ],
      knownElsewhereAs: ["retry", "restart", "rerun", "requeue"]),
    Verb(
      name: .forget, operands: .oneOrMoreUnless(.endedJob, .allEnded),
      flags: [.allEnded, .outcomes, .json],
      summary: "Delete ended jobs: their record, output and state folder.",
      details: [JobOperand.help],
      json: "One job per line, as it was; an error for each that could not be deleted.",
      examples: [
        "forget 12", "forget 1-20", "forget group:render", "forget --outcome succeeded",
      ],
      knownElsewhereAs: ["clean", "prune", "purge"]),
    Verb(
      name: .continue, operands: .oneOrMore(.askingJobs), flags: [.no, .json],
      summary: "Answer the question of a stalled job: continue, or with --no, stop.",
      details: [JobOperand.help],
      json: "One job per line, after the answer; an error for each that has no question.",
      examples: ["continue 12", "continue 12 --no"],
      knownElsewhereAs: ["answer", "yes"]),
    Verb(
      name: .simulate, operands: .two(.event, .oneJob), flags: [.json],
      summary: "Act as if a job had fallen silent, stalled or become due.",
      details: [
        "EVENT is expire, stall or launch.",
        """
        launch starts a waiting scheduled job regardless of its time, power and network; none of \
        these stops it later.
        """,
      ],
      json: "The job after the event.",
      examples: ["simulate expire 12", "simulate launch io.jobrun.samples.refresh"]),
  ]

  /// Verbs for settings of all jobs, and for the runner itself.
  static let settingUp: [Verb] = [
    group,
    Verb(
      name: .slots, operands: .optional(Operand("N", .free)), flags: [.json],
      summary: "Show or set how many jobs run at the same time.",
      details: [
        """
        The change takes effect at once and is written to config.json, which keeps its comments. \
        With more slots, waiting jobs start; with fewer, running jobs continue until they end.
        """
      ],
      json: """
        {"slots","used","running","queued"}; the last three are null while no runner is running.
        """,
      examples: ["slots", "slots 4"], knownElsewhereAs: ["concurrency", "workers"]),
    settings, engines,
    Verb(
      name: .runner, operands: .one(.runnerAction), flags: [.discard, .json],
      summary: "Show, pause, stop or restart the background runner, or start it at login.",
      details: [
        "ACTION is status, pause, resume, stop, restart, enable or disable.",
        """
        After pause, no job starts, and running jobs continue, until resume; the pause survives \
        restarts of the runner and of the machine.
        """,
        """
        stop ends running jobs as interrupted, each after its grace period at the latest, and \
        keeps waiting jobs for the next runner; with --discard it ends these, too, except \
        scheduled ones. restart leaves all jobs as they are.
        """,
        """
        enable writes a systemd unit that starts the runner when you log in, and hands a running \
        one over to it; running jobs are not moved, and some may end with the login session in \
        which they started: status lists them. It also says how to start the runner without a login; \
        disable removes the unit.
        """,
      ],
      json: """
        status: \
        {"pid","version","started","home","socket","live","queued","running","slots",…} with \
        "paused" (how many are), "held" (nothing starts), "notifications", "keepAwake" and \
        "controlGroups" (each {"on","why"}); the others, and when none is running, \
        {"action":"stop","done":true,"message":"…"}.
        """,
      examples: ["runner status", "runner pause", "runner stop"],
      knownElsewhereAs: ["daemon", "shutdown", "server"]),
  ]
}
