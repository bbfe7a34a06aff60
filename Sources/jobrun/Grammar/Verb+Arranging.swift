import JobCore
import JobWire

extension Verb {
  /// The rule by which the queue goes, with the numbers that it goes by.
  static let priorities: String = {
    let rule = Scheduler.Configuration(slots: 1)
    return """
      --priority high|normal|low: of the waiting jobs, those of a higher priority start first; \
      within one priority, the order is that of submission (jobrun move changes it). No job waits \
      forever: once \(rule.maximumOvertakes) jobs of higher priorities have started in place of \
      the next one of a lower priority, and \(rule.liftAfter.words) have passed, that one goes \
      ahead of all. A job of low priority also yields while it runs (nice 10, and the lowest \
      best-effort I/O priority), and where jobs have control groups, each priority gets twice the \
      share of processors and disks of the next one.
      """
  }()

  /// Verbs for waiting jobs.
  static let arranging: [Verb] = [
    Verb(
      name: .move, operands: .one(.waitingJob), flags: [.first, .behind, .json],
      summary: "Change the order of waiting jobs of the same priority.",
      details: [
        """
        --first moves a job ahead of all others of its priority, --after right behind one of them. \
        Moving a job does not change its priority; jobrun edit ID --priority does.
        """
      ],
      json: "The waiting job, at its new place.",
      examples: ["move 12 --first", "move 12 --after 9"],
      knownElsewhereAs: ["swap", "reorder", "btop"]),
    Verb(
      name: .hold, operands: .oneOrMoreUnless(.waitingJobs, .allWaiting),
      flags: [.allWaiting, .json],
      summary: "Keep waiting jobs from starting until they are released.",
      details: [
        """
        Other jobs pass a held job, which keeps its place. jobrun run --hold submits a job that is \
        held from the start. Running jobs cannot be held.
        """,
        JobOperand.help,
      ],
      json: "One held job per line; an error for each that could not be held.",
      examples: ["hold 12", "hold group:render"], knownElsewhereAs: ["stash", "qhold", "bstop"]),
    Verb(
      name: .release, operands: .oneOrMoreUnless(.heldJobs, .allHeld), flags: [.allHeld, .json],
      summary: "Release held jobs, to start in their turn.",
      details: [JobOperand.help],
      json:
        "One waiting or starting job per line; an error for each that could not be released.",
      examples: ["release 12", "release --all"], knownElsewhereAs: ["unhold", "unstash", "qrls"]),
    Verb(
      name: .start, operands: .oneOrMore(.waitingJobs), flags: [.json],
      summary: "Start waiting jobs now, even without a free slot.",
      details: [
        """
        They go ahead of all others, even if they are held, their start time has not come, or the \
        runner or their group is paused. Memory, GPUs and other reserved resources must be free \
        (69), and the jobs that they come after must have succeeded.
        """,
        JobOperand.help,
      ],
      json: "One starting job per line; an error for each that could not be started.",
      examples: ["start 12"], knownElsewhereAs: ["runnow"]),
    Verb(
      name: .edit, operands: .oneOrMore(.waitingJobs), flags: Flag.ofEdits,
      summary: "Change the options, the order or the dependencies of waiting jobs.",
      details: [
        """
        The command cannot be changed: cancel the job and submit another one instead. --after \
        replaces the jobs that an earlier --after named, --require all earlier requirements, --env \
        the variable of that name.
        """,
        JobOperand.help,
      ],
      json: "One job per line, as it is now; an error for each that could not be changed.",
      examples: [
        "edit 12 --priority high", "edit 12 --after 9 --not-before 22:30",
        "edit group:render --limit 2h",
      ],
      knownElsewhereAs: ["change", "alter", "modify", "qalter", "bmod", "renice", "rename"]),
  ]
}

extension Flag {
  static let ofEdits: [Flag] = [
    .title, .subtitle, .newPriority, .newAfter, .newStart, .newLimit, .grace, .retries, .newRequire,
    .newGroup, .cwd, .env, .json,
  ]

  static let newLimit = Flag(
    "limit", .durationOrNever,
    "maximum running time; never removes the limit")
  static let newRequire = Flag(
    "require", .requirements, "required resources, in place of all earlier ones")
  static let newGroup = Flag(
    "group", .text("NAME|none"), "use the slots of this group; none removes the job from its group")
  static let first = Flag("first", .none, "move it ahead of all others of its priority")
  static let behind = Flag("after", .text("ID"), "move it right behind this waiting job")
  static let newPriority = Flag(
    "priority", priority.value,
    "priority among waiting jobs; within it, the job is placed by its number")
  static let newAfter = Flag(
    "after", .jobs, "start once these jobs have succeeded; none for no job")
  static let newStart = Flag(
    "not-before", .text("TIME|now"),
    "earliest start: 22:30, +2h, tomorrow 8:00; now removes it")
}
