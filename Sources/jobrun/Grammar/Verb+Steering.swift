extension Verb {
  /// Verbs for existing jobs and for the runner.
  static let steering: [Verb] = [
    Verb(
      name: .cancel, operands: .oneOrMoreUnless("ID", .cancelAll),
      flags: [.cancelAll, .states, .now, .json], summary: "Stop jobs.",
      details: [
        "A job is told to stop and has its grace time to do so; then it is killed.",
        JobOperand.help,
      ],
      json: """
        One job per line, as it is once it has been told to stop, or the "count" of a range or group; an \
        error for each that could not be.
        """,
      examples: ["cancel 12", "cancel group:render", "cancel --state queued", "cancel --all"],
      knownElsewhereAs: ["kill", "stop", "abort", "scancel", "end"]),
    Verb(
      name: .pause, operands: .oneOrMoreUnless("ID", .allRunning),
      flags: [.allRunning, .keepSlot, .json],
      summary: "Stop all processes of jobs for a while; jobrun resume lets them go on.",
      details: [
        """
        A paused job keeps its memory and its GPUs, and its clocks stand still: no limit, silence or \
        question runs out. Its slot is another job's until it is resumed, unless --keep-slot is given. It \
        stays paused if the runner ends or is killed, but does not outlive the machine. jobrun cancel lets \
        it go on, so that it can end itself in its grace time.
        """,
        """
        A job that waits cannot be paused (jobrun hold keeps it from starting), nor one that a program \
        runs within itself. For one that is paused, --keep-slot takes a free slot, and without it its \
        slot is given away.
        """,
        """
        group:NAME pauses the group as well: nothing more of it starts, until jobrun resume group:NAME.
        """,
        JobOperand.help,
      ],
      json: "One job per line, as it is once it is paused; an error for each that could not be.",
      examples: ["pause 12", "pause group:render"],
      knownElsewhereAs: ["suspend", "freeze"]),
    Verb(
      name: .resume, operands: .oneOrMoreUnless("ID", .allPaused), flags: [.allPaused, .json],
      summary: "Let paused jobs go on.",
      details: [
        """
        A job whose slot was given away takes the next that is free, before any that waits to start.
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
      flags: [.allUnsuccessful, .failed, .outcomes, .withDependents, .force, .json],
      summary: "Run jobs again that have ended.",
      details: [
        """
        It keeps its number, command, folder and environment. A resumable job finds what it left in \
        JOBRUN_STATE_DIR and continues from there; for any other that folder is empty again.
        """,
        """
        The jobs that it comes after (--after) must succeed first: it waits for those that are being \
        redone, and is refused (69) while one of them stays failed; --force runs it anyway.
        """,
        JobOperand.help
          + " Of several, those that did not succeed are tried again; --outcome asks for others.",
      ],
      json: "One job per line, which waits or starts again; an error for each that could not.",
      examples: [
        "redo 12", "redo group:render --failed", "redo 12 --with-dependents",
        "redo group:render --outcome succeeded",
      ],
      knownElsewhereAs: ["retry", "restart", "rerun", "requeue"]),
    Verb(
      name: .forget, operands: .oneOrMoreUnless(.endedJob, .allEnded),
      flags: [.allEnded, .outcomes, .json],
      summary: "Delete what is kept of ended jobs: their record, output and state folder.",
      details: [JobOperand.help],
      json: "One job per line, as it was; an error for each that could not be deleted.",
      examples: [
        "forget 12", "forget 1-20", "forget group:render", "forget --outcome succeeded",
      ],
      knownElsewhereAs: ["clean", "prune", "purge"]),
    Verb(
      name: .continue, operands: .oneOrMore("ID"), flags: [.no, .json],
      summary: "Answer the question of a stalled job: continue, or with --no, stop.",
      details: [JobOperand.help],
      json: "One job per line, after the answer; an error for each that has no question.",
      examples: ["continue 12", "continue 12 --no"],
      knownElsewhereAs: ["answer", "yes"]),
    Verb(
      name: .simulate, operands: .two(.event, "ID"), flags: [.json],
      summary: "Act as if a job had fallen silent, had stalled or was due.",
      details: [
        "EVENT is expire, stall or launch.",
        """
        launch starts a scheduled job that waits, whatever the time, the power and the network, and \
        none of these stops it afterwards.
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
        It takes effect at once and lasts: config.json is updated, and keeps its comments. With more slots, \
        jobs that wait start; with fewer, what runs goes on until it ends.
        """
      ],
      json: """
        {"slots","running","queued"}; the last two are null while no runner is running.
        """,
      examples: ["slots", "slots 4"], knownElsewhereAs: ["concurrency", "workers"]),
    settings, engines,
    Verb(
      name: .runner, operands: .one(.runnerAction), flags: [.discard, .json],
      summary: "Show, pause, stop or restart the background runner, or start it at login.",
      details: [
        "ACTION is status, pause, resume, stop, restart, enable or disable.",
        """
        After pause nothing starts any more, and what runs goes on, until resume; that lasts, also when \
        the runner ends or the machine is restarted.
        """,
        """
        stop ends running jobs as interrupted, each after its grace at the latest, and keeps those that \
        wait for the next runner; with --discard it ends these, too, except for scheduled ones. restart \
        leaves all jobs as they are.
        """,
        """
        enable writes a systemd unit that starts the runner when you log in, and that takes the place of \
        one that serves; jobs already running stay where they are, and some may end with the login session \
        they started in: status lists them. It says how to start it without a login; disable removes the unit.
        """,
      ],
      json: """
        status: \
        {"pid","version","started","home","socket","live","queued","running","slots",…} with \
        "paused" (how many are), "held" (nothing starts), "notifications", "keepAwake" and \
        "controlGroups" (each {"on","why"}); the others, and when none is running, \
        {"action":"stop","done":true,"message":"…"}.
        """,
      knownElsewhereAs: ["daemon", "shutdown", "server"]),
  ]
}
