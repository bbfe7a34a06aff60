import JobWire

/// What the objects hold that `--json` prints, for the man page.
///
/// One schema for all verbs: a job looks the same wherever it stands. A test holds the names against
/// what is written.
enum JSONGuide {
  typealias Entry = (name: String, meaning: String)

  static let introduction = """
    With --json every verb prints one JSON object per line on standard output, in UTF-8, and \
    nothing else there; sentences for people stay on standard error. A command that fails prints \
    {"error":{"code":"notFound","message":"one sentence"}}; its exit code is the same as without \
    --json. Times are RFC 3339 in UTC with milliseconds; durations are seconds. Unknown values are \
    null and never missing. Fields, codes and kinds of events are only ever added.
    """

  /// In the order in which they are written.
  static let job =
    fields + UseCounter.allCases.map { ($0.field.description, $0.meaning) } + [
      ("stdout", "the file for its standard output in place of its log; null for the log"),
      ("stderr", "the same for its standard error"),
      ("batchSize", "how many jobs were submitted in one with it; null for one that was alone"),
      ("send", "what is copied to its machine before each attempt, relative to its folder"),
      ("fetch", "the same, copied from there once it has succeeded"),
    ]

  private static let fields: [Entry] = [
    ("number", "unique for one user and machine, ascending from 1"),
    ("identifier", "as io.jobrun.samples.export.k3f9"),
    ("definition", "its definition's name; null for a plain command"),
    ("title", "its title; the job may change it"),
    ("subtitle", "its current step"),
    ("state", "queued, launching, running, stalled, paused, stopping or ended"),
    (
      "outcome",
      "succeeded, failed, cancelled, expired, interrupted or refused; null until it has ended"
    ),
    ("stopReason", "{\"code\",\"message\"}: why it was told to stop"),
    ("pendingReason", "{\"code\",\"message\"}: why it waits"),
    ("position", "from 1 while it is in the queue"),
    ("prompt", "{\"question\",\"since\"}: a question, because it has stalled or become slow"),
    ("progress", "see below; null before the first report"),
    (
      "message",
      "the job's last message, the last error in its output, or why it could not be started"
    ),
    ("attempt", "from 1; 0 before the first"),
    ("exitCode", "0 to 255"),
    ("signal", "the number of the signal that killed it"),
    ("pid", "process id while it is running"),
    ("submitted", "when it was accepted"),
    ("started", "when its first attempt began since it was submitted or redone"),
    ("ended", "when it ended"),
    ("cpuSeconds", "processor time of all its processes"),
    (
      "maxResidentBytes",
      "peak memory of all its processes where it has a control group, else of one process"
    ),
    ("log", "path of the file with its output"),
    ("gpus", "UUIDs of the GPUs that it has"),
    ("warning", "a problem of a job that continues, or a failure after its end"),
    ("attached", "how many terminals and programs watch it in the foreground"),
    ("stateDirectory", "its folder that is kept from attempt to attempt"),
    ("kind", "continued, processing, refresh or push"),
    ("earliest", "the time before which it does not start"),
    ("requires", "required resources, in the form of --require"),
    (
      "after",
      "numbers of the jobs that must have succeeded before it starts (at most the first 1,000)"
    ),
    ("onEnd", "its on-end command"),
    ("quietUntil", "end of the quiet phase that it announced"),
    (
      "command",
      "its program as it was typed, with its arguments (at most 4 KiB of them); null when that is hidden"
    ),
    ("directory", "the folder in which it runs"),
    ("afterAny", "numbers of the jobs that must have ended before it starts"),
    ("stdin", "its input: pipe, copy, terminal or the path of a file; null if none"),
    ("recurs", "{\"everySeconds\",\"at\",\"days\"}: how it repeats; null if it does not"),
    (
      "environment",
      "variables that jobrun set and that change its behaviour, and the names of those of --env, without values"
    ),
    ("priority", "high, normal or low"),
    ("group", "the group whose slots it uses; null for the slots of jobs without a group"),
    ("limits", "differences of its limits, scheduling and processors from the defaults"),
    ("afterOne", "numbers of the jobs of which one must have succeeded before it starts"),
    (
      "paused",
      "{\"since\",\"seconds\",\"until\"}: start of the current pause (null if none), the length of earlier ones,"
        + " and when it resumes by itself (null if it does not)"
    ),
    (
      "controlGroup",
      "whether its processes have a control group, so that all of them end; null while it has no process"
    ),
    (
      "bytesRead", "bytes read from disks; page-cache hits are not counted"
    ),
    ("bytesWritten", "bytes written to disks"),
    ("engine", "its engine; null for this machine"),
    ("engineJob", "the engine's name for the attempt"),
    ("node", "the machine on which the engine runs it"),
    ("pool", "the pool that has chosen its engine"),
    (
      "processorJoules",
      "its share of the energy of all processors while it ran, in proportion to its"
        + " processor time; null if unknown"
    ),
    (
      "gpuJoules",
      "energy of its GPUs while it held them, including any use by others; null if unknown, and before its end"
    ),
    (
      "options",
      "its options: strategy, graceMs, limitMs, retries, stallAfterMs, silentAfterMs and others; null in events"
    ),
  ]

  static let progress: [Entry] = [
    ("completed", "units done"),
    ("total", "units to do; 0 if unknown"),
    ("unit", "items, bytes or share (ten-thousandths)"),
    ("fraction", "0 to 1; null without a total, and while a job with complete progress continues"),
    ("rate", "units a second"),
    ("eta", "seconds left"),
    ("source", "its source: page, osc, output or file"),
    ("recogniser", "the rule that recognised it in the output"),
    ("changed", "time of the last known change of the counts, while it is running"),
    ("interval", "usual number of seconds between two changes"),
    (
      "note",
      "an addition to the counts: phase 3 (of an unknown number), goes on, read all of big.bin"
    ),
    ("etaLeast", "minimum of the seconds left; null while the pace is steady"),
    ("etaMost", "maximum of the seconds left; null while the pace is steady"),
    ("line", "the output line with the counts; null once the job has ended"),
  ]

  static let feed: [Entry] = [
    ("seq", "ascending number; --since resumes after it; events only"),
    ("at", "time; events only"),
    (
      "event",
      "submitted, queued, launched, started, stalled, prompt, answered, advanced, warned, paused,"
        + " resumed, held, released, moved, edited, stopping or ended;"
        + " snapshot (a job as it is), progress (only that changed) and gap"
        + " ({\"event\":\"gap\",\"from\":3,\"to\":7}: events were left out) have no seq, nor has dropped"
        + " (a push that started no job; it has at, identifier, code and message)"
    ),
    ("job", "the job after the event"),
  ]
}
