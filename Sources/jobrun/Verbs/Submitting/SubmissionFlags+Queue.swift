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
  static let cwd = Flag("cwd", .text("DIR"), "run the job in this folder")
  static let env = Flag(
    "env", .list("NAME=VALUE"),
    "set a variable in the job's environment; may be given several times; show lists the names only"
  )
}
