extension Flag {
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
    "set a variable in the job's environment; may be given several times")
}
