/// The keys of `config.json`, for the man page; a test compares the names with the parser's.
enum SettingsGuide {
  static let introduction = """
    config.json holds one JSON object, in which comments are allowed. What is wrong in it is named by \
    the next command. The runner reads it again when it changes; a broken one is told by jobrun runner \
    status, and the previous settings stay in force.
    """

  static let entries: [JSONGuide.Entry] = [
    ("slots", "jobs that run at the same time, 1 to 4096 (as many as processors, at least 2)"),
    (
      "historyLimit",
      "{\"count\": 10000, \"days\": 90}: how many jobs that have ended are kept, and how long"
    ),
    (
      "logLimit",
      "\"200M\": largest log of a job (\"1G\"); a larger one keeps its head and tail; job.json may"
        + " set its own"
    ),
    (
      "budget",
      "{\"starts\": 288, \"processorTime\": \"2h\"}: what the refresh, processing and push jobs of a bundle get"
        + " within 24 hours; 0 and \"0s\": any; jobrun pending shows what they have had"
    ),
    ("groups", "{\"render\": 3}: how many jobs of these groups may run at once (as slots)"),
    (
      "resources",
      "{\"licence\": 3}: what there is of things that jobs reserve by --require licence=1"
    ),
    (
      "engines",
      "{\"tower\": {\"kind\": \"host\", \"through\": \"tower.local\", \"slots\": 8}}: what runs jobs"
        + " beside this machine; see jobrun help engines"
    ),
    ("on", "\"tower\": the engine of those that runs jobs where nobody says so (\"here\")"),
    ("idleMinutes", "the runner leaves after this many minutes without work (10); 0: never"),
    ("notify", "who is told that a job asks or has ended; see the last section"),
    ("onEnd", "what is run when a job has ended; see the last section"),
    (
      "taskbar",
      "true or false: whether progress is sent to the terminal, for its taskbar entry"
        + " (OSC 9;4); by default only to terminals known to show it"
    ),
    (
      "hints",
      "true (default) or false: whether the terminal shows which job was started and, once, how to leave"
        + " and cancel it"
    ),
    (
      "settings",
      "{\"io.example\": {\"background\": false, \"slots\": 1, \"gpu\": false, \"network\": false,"
        + " \"priority\": \"low\", \"budget\": false}}: what the jobs of a bundle may do; jobrun settings writes it"
    ),
    (
      "keepAwake",
      "true (default) or false: whether the machine is kept from going to sleep by itself while a job runs"
        + " that a person has started; jobrun runner status says what became of it"
    ),
    (
      "lowBattery",
      "20: percentage of a battery in use below which refresh, processing and push jobs wait and nothing is kept"
        + " awake; 0: never"
    ),
    (
      "enforce",
      "true or false (default): whether a job gets no more memory than its --require memory=4G says, where"
        + " it has a control group: near that it is slowed down, above it is killed"
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
