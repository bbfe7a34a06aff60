import JobCore

/// One key of `config.json`: its meaning, and how it is read.
package struct SettingsKey: Sendable {
  package let name: String
  /// For the manual.
  package let meaning: String
  let read: @Sendable (ManifestFields, inout RunnerConfiguration) throws(ManifestError) -> Void

  private init(
    _ name: String, _ meaning: String,
    read:
      @escaping @Sendable (ManifestFields, inout RunnerConfiguration) throws(ManifestError) ->
      Void
  ) {
    (self.name, self.meaning, self.read) = (name, meaning, read)
  }

  /// All keys, in the order of the manual.
  package static let all: [SettingsKey] = [
    SettingsKey(
      "slots",
      "jobs that run at the same time, 1 to 4096 (as many as processors, at least 2)"
    ) { fields, configuration throws(ManifestError) in
      configuration.slots = try fields.number("slots", in: 1...Limits.slots)
    },
    SettingsKey(
      "historyLimit",
      "{\"count\": 10000, \"days\": 90}: how many ended jobs are kept, and how long"
    ) { fields, configuration throws(ManifestError) in
      guard let limit = try fields.object("historyLimit", known: ["count", "days"]) else { return }
      configuration.historyCount =
        try limit.number("count", in: 0...10_000_000) ?? configuration.historyCount
      configuration.historyDays =
        try limit.number("days", in: 0...36_500) ?? configuration.historyDays
    },
    SettingsKey(
      "logLimit",
      "\"200M\": largest log of a job (\"1G\"); a larger one keeps its head and tail; job.json may"
        + " set its own"
    ) { fields, configuration throws(ManifestError) in
      configuration.logLimit = try fields.logLimit() ?? configuration.logLimit
    },
    SettingsKey(
      "budget",
      "{\"starts\": 288, \"processorTime\": \"2h\"}: limits of the refresh, processing and"
        + " push jobs of a bundle within 24 hours; 0 and \"0s\": no limit; jobrun pending shows their use"
    ) { fields, configuration throws(ManifestError) in
      configuration.budget = try fields.budget()
    },
    SettingsKey(
      "groups",
      "{\"render\": 3}: how many jobs of these groups may run at once (as slots)"
    ) { fields, configuration throws(ManifestError) in
      configuration.groups = try fields.groups()
    },
    SettingsKey(
      "resources",
      "{\"licence\": 3}: how many there are of a resource that jobs reserve with --require licence=1"
    ) { fields, configuration throws(ManifestError) in
      configuration.resources = try fields.resources()
    },
    SettingsKey(
      "gpus",
      "\"0,2\": the GPUs that jobs may use, as in CUDA_VISIBLE_DEVICES (indices of nvidia-smi, or"
        + " UUIDs); \"none\"; by default all"
    ) { fields, configuration throws(ManifestError) in
      configuration.gpus = try fields.gpus()
    },
    SettingsKey(
      "engines",
      "{\"tower\": {\"kind\": \"host\", \"through\": \"tower.local\", \"slots\": 8}}: other"
        + " machines that run jobs; see jobrun help engines"
    ) { fields, configuration throws(ManifestError) in
      configuration.engines = try EngineSettings.all(in: fields)
    },
    SettingsKey(
      "on",
      "\"tower\": the engine of jobs that name none (\"here\")"
    ) { fields, configuration throws(ManifestError) in
      configuration.on = try fields.engine(among: configuration.engines)
    },
    SettingsKey(
      "idleMinutes",
      "minutes without work after which the runner exits (10); 0: never"
    ) { fields, configuration throws(ManifestError) in
      configuration.idleMinutes =
        try fields.number("idleMinutes", in: 0...525_600) ?? configuration.idleMinutes
    },
    SettingsKey(
      "notify",
      "notifications of questions and ended jobs; see jobrun help running"
    ) { fields, configuration throws(ManifestError) in
      configuration.notices = try NoticeSettings(fields)
    },
    SettingsKey(
      "onEnd",
      "a command for every ended job; see jobrun help running"
    ) { fields, configuration throws(ManifestError) in
      configuration.onEnd = try EndCommandSettings(fields)
    },
    SettingsKey(
      "taskbar",
      "true or false: whether progress is sent to the terminal, for its taskbar entry"
        + " (OSC 9;4); by default only to terminals known to show it"
    ) { fields, configuration throws(ManifestError) in
      configuration.taskbar = try fields.flag("taskbar")
    },
    SettingsKey(
      "hints",
      "true (default) or false: whether the terminal shows the number of a started job and,"
        + " once, the keys to leave and cancel it"
    ) { fields, configuration throws(ManifestError) in
      configuration.hints = try fields.flag("hints") ?? configuration.hints
    },
    SettingsKey(
      "settings",
      "{\"io.example\": {\"background\": false, \"slots\": 1, \"gpu\": false, \"network\": false,"
        + " \"priority\": \"low\", \"budget\": false}}: limits for the jobs of a bundle;"
        + " jobrun settings writes them"
    ) { fields, configuration throws(ManifestError) in
      configuration.bundleSettings = try BundleSettings.all(in: fields)
    },
    SettingsKey(
      "keepAwake",
      "true (default) or false: whether the machine is kept from going to sleep by itself"
        + " while a job that you started is running; jobrun runner status says whether that works"
    ) { fields, configuration throws(ManifestError) in
      configuration.keepAwake = try fields.flag("keepAwake") ?? configuration.keepAwake
    },
    SettingsKey(
      "lowBattery",
      "20: percentage of a discharging battery below which refresh, processing and push"
        + " jobs wait and the machine may sleep; 0: never"
    ) { fields, configuration throws(ManifestError) in
      configuration.lowBattery =
        try fields.number("lowBattery", in: 0...100) ?? configuration.lowBattery
    },
    SettingsKey(
      "enforce",
      "true or false (default): whether a job with --require memory=4G is limited to that,"
        + " where it has a control group: it is slowed down near the limit, and killed above it"
    ) { fields, configuration throws(ManifestError) in
      configuration.enforcesRequirements = try fields.flag("enforce") ?? false
    },
    SettingsKey(
      "bundles",
      "[\"/folder\"]: folders of bundles that are available everywhere, as after jobrun register"
    ) { fields, configuration throws(ManifestError) in
      for path in try fields.texts("bundles") ?? [] {
        configuration.bundles.append(try fields.absolute(path, "bundles"))
      }
    },
    SettingsKey(
      "stateDir",
      "\"/folder\" in place of ~/.local/state/jobrun, for homes on network file systems"
    ) { fields, configuration throws(ManifestError) in
      guard let path = try fields.text("stateDir") else { return }
      configuration.stateDirectory = try fields.absolute(path, "stateDir")
    },
  ]
}
