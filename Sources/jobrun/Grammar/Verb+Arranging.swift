import JobCore
import JobWire

extension Verb {
  /// The rule by which the queue goes, with the numbers that it goes by.
  static let priorities: String = {
    let rule = Scheduler.Configuration(slots: 1)
    return """
      --priority high|normal|low: of the jobs that wait, higher ones start first, and within one the order \
      is that of submission (jobrun move changes it). Nothing starves: once \(rule.maximumOvertakes) jobs of \
      higher priorities were started in place of the next of a lower one, and \
      \(rule.liftAfter.words) have passed, that one goes ahead of all. A job of low priority also gives way \
      while it runs (nice 10, and the lowest best-effort I/O priority), and where jobs have control groups \
      each priority gets twice the share of the next of processors and disks.
      """
  }()

  /// Verbs for waiting jobs.
  static let arranging: [Verb] = [
    Verb(
      name: .move, operands: .one("ID"), flags: [.first, .behind, .json],
      summary: "Change the order of jobs that wait and have the same priority.",
      details: [
        """
        --first puts a job ahead of all others of its priority, --after right behind one of them. A job of \
        another priority is not overtaken by moving: jobrun edit ID --priority changes that.
        """
      ],
      json: "The job, which waits at its new place.",
      examples: ["move 12 --first", "move 12 --after 9"],
      knownElsewhereAs: ["swap", "reorder", "btop"]),
    Verb(
      name: .hold, operands: .oneOrMoreUnless("ID", .allWaiting), flags: [.allWaiting, .json],
      summary: "Keep jobs that wait from starting until they are released.",
      details: [
        """
        Others pass them, and they keep their places. jobrun run --hold submits a job that is held from the \
        start. What runs cannot be held.
        """,
        JobOperand.help,
      ],
      json: "One job per line, which is held; an error for each that could not be.",
      examples: ["hold 12", "hold group:render"], knownElsewhereAs: ["stash", "qhold", "bstop"]),
    Verb(
      name: .release, operands: .oneOrMoreUnless("ID", .allHeld), flags: [.allHeld, .json],
      summary: "Let held jobs start when it is their turn.",
      details: [JobOperand.help],
      json:
        "One job per line, which waits or starts; an error for each that could not be released.",
      examples: ["release 12", "release --all"], knownElsewhereAs: ["unhold", "unstash", "qrls"]),
    Verb(
      name: .start, operands: .oneOrMore("ID"), flags: [.json],
      summary: "Start jobs that wait now, beyond the slots.",
      details: [
        """
        They go ahead of all others, also when they are held, their time has not come, or the runner or \
        their group is paused. Memory, GPUs and what else is reserved must be there (69), and what they \
        come after must have succeeded.
        """,
        JobOperand.help,
      ],
      json: "One job per line, which starts; an error for each that could not be started.",
      examples: ["start 12"], knownElsewhereAs: ["runnow"]),
    Verb(
      name: .edit, operands: .oneOrMore("ID"), flags: Flag.ofEdits,
      summary: "Change what is asked of waiting jobs, or what they wait for.",
      details: [
        """
        What it will run stays as it is: cancel it and submit another one for that. --after takes the place \
        of the jobs that --after named before, --require that of all that was required.
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
    .newGroup, .json,
  ]

  static let newLimit = Flag("limit", .durationOrNever, "the longest it may run; never = no limit")
  static let newRequire = Flag(
    "require", .requirements, "what it needs, in place of all that it needed before")
  static let newGroup = Flag(
    "group", .text("NAME|none"), "it shares the slots of this group; none = of those without one")
  static let first = Flag("first", .none, "ahead of all others of its priority")
  static let behind = Flag("after", .text("ID"), "right behind this job, which waits, too")
  static let newPriority = Flag(
    "priority", priority.value,
    "which of those that wait goes first; its place is that of its number")
  static let newAfter = Flag(
    "after", .jobs, "start once these jobs have succeeded; none for no job")
  static let newStart = Flag(
    "not-before", .text("TIME|now"),
    "wait until then: 22:30, +2h, tomorrow 8:00; now = no longer")
}
