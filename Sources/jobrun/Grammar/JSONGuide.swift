import JobWire

/// What the objects hold that `--json` prints, for the man page.
///
/// One schema for all verbs: a job looks the same wherever it stands. A test holds the names against
/// what is written.
enum JSONGuide {
  typealias Entry = (name: String, meaning: String)

  static let introduction = """
    With --json every verb prints one JSON object a line on standard output, in UTF-8, and nothing \
    else there; sentences for people stay on standard error. A command that cannot do what was asked \
    prints {"error":{"code":"notFound","message":"one sentence"}}; its exit code is that of the same \
    command without --json. Times are RFC 3339 in UTC with milliseconds; durations are seconds. What \
    is not known is null and never missing. Fields, codes and kinds of events are only ever added.
    """

  /// In the order in which they are written.
  static let job = fields + UseCounter.allCases.map { ($0.field.description, $0.meaning) }

  private static let fields: [Entry] = [
    ("number", "unique for one user and machine, ascending from 1"),
    ("identifier", "as io.jobrun.samples.export.k3f9"),
    ("definition", "its definition's name; null for a plain command"),
    ("title", "what it is called; the job may change it"),
    ("subtitle", "what it does at the moment"),
    ("state", "queued, launching, running, stalled, paused, stopping or ended"),
    (
      "outcome",
      "succeeded, failed, cancelled, expired, interrupted or refused; null until it has ended"
    ),
    ("stopReason", "{\"code\",\"message\"}: why it was told to stop"),
    ("pendingReason", "{\"code\",\"message\"}: why it waits"),
    ("position", "from 1 while it is in the queue"),
    ("prompt", "{\"question\",\"since\"}: asked because it does not advance, or has become slow"),
    ("progress", "see below; null before the first report"),
    (
      "message",
      "the job's last words, the last error in its output, or why it could not be started"
    ),
    ("attempt", "from 1; 0 before the first"),
    ("exitCode", "0 to 255"),
    ("signal", "the number of the signal that killed it"),
    ("pid", "of its process while it runs"),
    ("submitted", "when it was accepted"),
    ("started", "when its first attempt began since it was submitted or redone"),
    ("ended", "when it ended"),
    ("cpuSeconds", "processor time of all its processes"),
    (
      "maxResidentBytes",
      "most memory of all its processes where a control group tells it, else of one of them"
    ),
    ("log", "path of the file with its output"),
    ("gpus", "UUIDs of the GPUs that it has"),
    ("warning", "what is wrong though it goes on, or what failed once it had ended"),
    ("attached", "how many terminals and programs watch it in the foreground"),
    ("stateDirectory", "the folder that it keeps from attempt to attempt"),
    ("kind", "continued, processing, refresh or push"),
    ("earliest", "the time before which it does not start"),
    ("requires", "what it needs of the machine, as --require takes it"),
    (
      "after",
      "numbers of the jobs that must have succeeded before it starts (at most the first 1,000)"
    ),
    ("onEnd", "the command that --on-end gave it"),
    ("quietUntil", "when the pause ends in which it said it would report nothing"),
    (
      "command",
      "its program as it was typed, with its arguments (at most 4 KiB of them); null when that is hidden"
    ),
    ("directory", "the folder in which it runs"),
    ("afterAny", "numbers of the jobs that must have ended before it starts"),
    ("stdin", "what it reads: pipe, copy or the path of a file; null when nothing"),
    ("recurs", "{\"everySeconds\",\"at\"}: how it comes back; null when it does not"),
    ("environment", "what jobrun has added to its environment that changes what it does"),
    ("priority", "high, normal or low: which of those that wait goes first"),
    ("group", "whose slots it shares; null: those of all jobs without a group"),
    ("limits", "how limits, scheduling and processors of its submitter differ from the usual"),
    ("afterOne", "numbers of the jobs of which one must have succeeded before it starts"),
    (
      "paused",
      "{\"since\",\"seconds\"}: since when it is paused (null once it goes on), and how long it was before"
    ),
    (
      "controlGroup",
      "whether its processes have a control group, so that it ends whole; null while it has no process"
    ),
    (
      "bytesRead", "what its processes have read from disks; page-cache hits are not counted"
    ),
    ("bytesWritten", "what they have written to disks"),
    ("engine", "the engine that runs it; null = this machine"),
    ("engineJob", "what that engine calls the attempt"),
    ("node", "the machine on which that engine runs it"),
    (
      "processorJoules",
      "its part of the energy of all processors while it ran: as much as it had of their time; null when not known"
    ),
    (
      "gpuJoules",
      "energy of its GPUs while it had them, whoever worked on them; null when not known, and before its end"
    ),
    (
      "options",
      "all that was asked of it: strategy, graceMs, limitMs, retries, stallAfterMs, silentAfterMs and others; null in events"
    ),
  ]

  static let progress: [Entry] = [
    ("completed", "units done"),
    ("total", "units to do; 0 if unknown"),
    ("unit", "items, bytes or share (ten-thousandths)"),
    ("fraction", "0 to 1; null without a total, and when all of it is done and the job goes on"),
    ("rate", "units a second"),
    ("eta", "seconds left"),
    ("source", "where it was seen: page, osc, output or file"),
    ("recogniser", "what recognised it in the output"),
    ("changed", "when the counts last changed, as far as is known, while it runs"),
    ("interval", "seconds that usually pass between two changes"),
    (
      "note",
      "what the counts do not tell: phase 3 (of an unknown number), goes on, read all of big.bin"
    ),
    ("etaLeast", "the fewest seconds left; null while the pace is steady"),
    ("etaMost", "the most seconds left; null while the pace is steady"),
    ("line", "the line of the output that told the counts; null once it has ended"),
  ]

  static let feed: [Entry] = [
    ("seq", "ascending; --since resumes after it; events only"),
    ("at", "when; events only"),
    (
      "event",
      "submitted, queued, launched, started, stalled, prompt, answered, advanced, warned, paused,"
        + " resumed, held, released, moved, edited, stopping or ended;"
        + " snapshot (a job as it is), progress (only that changed) and gap"
        + " ({\"event\":\"gap\",\"from\":3,\"to\":7}: events were left out) have no seq, nor has dropped"
        + " (a push that woke nobody; it has at, identifier, code and message)"
    ),
    ("job", "the job after it"),
  ]
}
