/// What `config.json` may hold, for the man page; a test holds the names against what is read.
enum SettingsGuide {
  static let introduction = """
    config.json holds one JSON object, in which comments are allowed. What is wrong in it is named by \
    the next command. The runner reads it again when it changes; a broken one is told by jobrun runner \
    status, and the settings of before go on.
    """

  static let entries: [JSONGuide.Entry] = [
    ("slots", "jobs that run at the same time, 1 to 4096 (as many as processors, at least 2)"),
    (
      "historyLimit",
      "{\"count\": 10000, \"days\": 90}: how many jobs that have ended are kept, and how long"
    ),
    (
      "logLimit",
      "\"200M\": largest log of a job (\"1G\"); of a larger one head and tail are kept; job.json may"
        + " say so for its own"
    ),
    ("idleMinutes", "after so many minutes without work the runner leaves (10); 0: never"),
    ("notify", "who is told that a job asks or has ended; see the last section"),
    ("onEnd", "what is run when a job has ended; see the last section"),
    (
      "taskbar",
      "true or false: whether the terminal is told of the progress, for its entry in the taskbar"
        + " (OSC 9;4); if not given, those that are known to show it"
    ),
    (
      "hints",
      "true (usual) or false: whether a terminal is told which job was started, and once how to leave"
        + " and to cancel it"
    ),
    (
      "bundles",
      "[\"/folder\"]: folders with definitions that are known everywhere, as after jobrun register"
    ),
    (
      "stateDir", "\"/folder\" in place of ~/.local/state/jobrun, for homes on network file systems"
    ),
  ]
}
