/// The exit codes of `submit`, `run`, `attach` and `wait`, for the man page and the manual.
enum ExitGuide {
  static let entries: [JSONGuide.Entry] = [
    ("0", "the job succeeded"),
    ("1-63", "the job failed with this code (1 if its own was 64 or more)"),
    ("64", "wrong usage"),
    ("66", "no such job, definition or identifier, or the job is not in a state for that"),
    ("69", "impossible on this machine, or a job that it depends on did not succeed"),
    ("70", "internal error"),
    ("73", "something cannot be created, or a job with this identifier is already running"),
    ("75", "could not start now (--strategy fail)"),
    ("76", "interrupted: the runner was stopped, or the machine was restarted"),
    (
      "77",
      "not permitted: another bundle's identifier, or a capability that the bundle does not declare"
    ),
    ("78", "a mistake in config.json"),
    ("122", "the wait ended, the job did not"),
    ("124", "expired: silent, stall declined, or over its limit"), ("130", "cancelled"),
  ]
}
