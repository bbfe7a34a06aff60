extension Flag {
  static let afterOne = Flag(
    "after-one", .jobs, "start once one of these jobs has succeeded; refused (69) if none does")
  static let jobSlots = Flag(
    "slots", .count("N"), "it counts as so many jobs: it waits for N slots and holds all of them")
  static let exclusive = Flag(
    "exclusive", .none, "nothing else runs on this machine while it does")
  static let retryOn = Flag(
    "retry-on", .choice(["failed", "failed,expired"]),
    "what --retries tries again: a failure (default), or an expiry, too, each with all of its time")
  static let cwd = Flag("cwd", .text("DIR"), "run it in this folder")
  static let env = Flag(
    "env", .list("NAME=VALUE"), "set this in its environment; may be given several times")
}
