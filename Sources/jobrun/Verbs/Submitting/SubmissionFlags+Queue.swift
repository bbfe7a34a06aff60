import JobWire

extension Flag {
  static let stdout = Flag(
    "stdout", .text("FILE"),
    "write the standard output to this file instead of the log; %j is the job's number, %g its group, %i"
      + " its position in the submission; with each also {} and the other places of the command; missing"
      + " folders are created")
  static let stderr = Flag("stderr", .text("FILE"), "the same for the standard error")
  static let keptLog = Flag(
    "log", .choice(["all", "failed", "none"]),
    "log to keep: always (default), unless the job succeeds, or never")
  static let keepBackground = Flag(
    "keep-background", .none, "do not end the processes that the job leaves behind")
  static let forgetOnSuccess = Flag(
    "forget-on-success", .none, "delete the job and its output once it has succeeded")
  static let delay = Flag(
    "delay", .text("SECONDS|DURATION"), "time between the starts of two of the jobs")
  static let afterOne = Flag(
    "after-one", .jobs, "start once one of these jobs has succeeded; refused (69) if none does")
  static let jobSlots = Flag(
    "slots", .count("N"), "count as N jobs: wait for N slots and hold all of them")
  static let exclusive = Flag(
    "exclusive", .none, "run no other job on this machine at the same time")
  static let retryOn = Flag(
    "retry-on", .choice(["failed", "failed,expired"]),
    "outcomes that --retries retries: failures (default), or expiries, too; each attempt has the full limit"
  )
  static let before = Flag(
    "before", .text("COMMAND"),
    "run this in the shell that becomes the job, for its environment: --before 'module load cuda'")
  static let partition = Flag(
    "partition", .text("NAME"), "with --on: the partition or queue of a cluster")
  static let engineOption = Flag(
    "engine-option", .list("OPTION"),
    "with --on: a further option of sbatch or qsub, as in --engine-option=--qos=high; may be given several times"
  )
  static let send = Flag(
    "send", .list("PATH"),
    "with --on: first copy this file or folder to the same place on the host; may be given several times"
  )
  static let fetch = Flag(
    "fetch", .list("PATH"),
    "with --on: copy this file or folder back from the host when the job has succeeded; may be given several times"
  )
  static let retryMemory = Flag(
    "retry-memory", .text("FACTOR"),
    "with --on and --retries: after an attempt that ran out of memory, the next requests this many times as much"
      + " (2x, 1.5x)")
  static let warn = Flag(
    "warn", .duration,
    "with --limit: send the job SIGUSR1 this long before, so that it can save its state")
  static let warnSignal = Flag(
    "warn-signal", .text("NAME"), "signal of --warn, in place of USR1: USR2, TERM, 12")
  static let cwd = Flag("cwd", .text("DIR"), "run the job in this folder")
  static let env = Flag(
    "env", .list("NAME=VALUE"),
    "set a variable in the job's environment; may be given several times; show lists the names only"
  )
}
