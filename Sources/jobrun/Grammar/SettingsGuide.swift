/// The keys of `config.json`, for the man page; a test compares the names with the parser's.
enum SettingsGuide {
  static let introduction = """
    config.json contains one JSON object; comments are allowed. The runner reads it again when it \
    changes. The next command reports an error in it, and so does jobrun runner status; the \
    previous settings stay in effect.
    """

  static let entries: [JSONGuide.Entry] = [
    ("slots", "jobs that run at the same time, 1 to 4096 (as many as processors, at least 2)"),
    (
      "historyLimit",
      "{\"count\": 10000, \"days\": 90}: how many ended jobs are kept, and how long"
    ),
    (
      "logLimit",
      "\"200M\": largest log of a job (\"1G\"); a larger one keeps its head and tail; job.json may"
        + " set its own"
    ),
    (
      "budget",
      "{\"starts\": 288, \"processorTime\": \"2h\"}: limits of the refresh, processing and"
        + " push jobs of a bundle within 24 hours; 0 and \"0s\": no limit; jobrun pending shows their use"
    ),
    ("groups", "{\"render\": 3}: how many jobs of these groups may run at once (as slots)"),
    (
      "resources",
      "{\"licence\": 3}: how many there are of a resource that jobs reserve with --require licence=1"
    ),
    (
      "gpus",
      "\"0,2\": the GPUs that jobs may use, as in CUDA_VISIBLE_DEVICES (indices of nvidia-smi, or"
        + " UUIDs); \"none\"; by default all"
    ),
    (
      "engines",
      "{\"tower\": {\"kind\": \"host\", \"through\": \"tower.local\", \"slots\": 8}}: other"
        + " machines that run jobs; see jobrun help engines"
    ),
    ("on", "\"tower\": the engine of jobs that name none (\"here\")"),
    ("idleMinutes", "minutes without work after which the runner exits (10); 0: never"),
    ("notify", "notifications of questions and ended jobs; see jobrun help running"),
    ("onEnd", "a command for every ended job; see jobrun help running"),
    (
      "taskbar",
      "true or false: whether progress is sent to the terminal, for its taskbar entry"
        + " (OSC 9;4); by default only to terminals known to show it"
    ),
    (
      "hints",
      "true (default) or false: whether the terminal shows the number of a started job and,"
        + " once, the keys to leave and cancel it"
    ),
    (
      "settings",
      "{\"io.example\": {\"background\": false, \"slots\": 1, \"gpu\": false, \"network\": false,"
        + " \"priority\": \"low\", \"budget\": false}}: limits for the jobs of a bundle;"
        + " jobrun settings writes them"
    ),
    (
      "keepAwake",
      "true (default) or false: whether the machine is kept from going to sleep by itself"
        + " while a job that you started is running; jobrun runner status says whether that works"
    ),
    (
      "lowBattery",
      "20: percentage of a discharging battery below which refresh, processing and push"
        + " jobs wait and the machine may sleep; 0: never"
    ),
    (
      "enforce",
      "true or false (default): whether a job with --require memory=4G is limited to that,"
        + " where it has a control group: it is slowed down near the limit, and killed above it"
    ),
    (
      "bundles",
      "[\"/folder\"]: folders of bundles that are available everywhere, as after jobrun register"
    ),
    (
      "stateDir", "\"/folder\" in place of ~/.local/state/jobrun, for homes on network file systems"
    ),
  ]
}
