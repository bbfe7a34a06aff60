package import JobCore

/// `config.json`: what the owner of the machine may set; a missing file means all defaults.
package struct RunnerConfiguration: Hashable, Sendable {
  /// Jobs that run at the same time; nil = the processors, at least 2.
  package var slots: Int?
  /// The same for groups of jobs that have another number.
  package var groups: [GroupName: Int] = [:]
  /// What the owner counts, by name, and how many there are.
  package var resources: [String: Int] = [:]
  /// Absolute path of another state directory: for homes on network filesystems.
  package var stateDirectory: String?
  /// Idle minutes after which the runner leaves; 0 = never.
  package var idleMinutes = 10
  /// Ended jobs that are kept.
  package var historyCount = 10_000
  /// Days for which ended jobs are kept.
  package var historyDays = 90
  /// Registered bundle folders, absolute.
  package var bundles: [String] = []
  /// Whether terminals are told of the progress (OSC 9;4); nil = those that are known to show it.
  package var taskbar: Bool?

  /// Largest log of a job that says nothing itself, in bytes.
  package var logLimit = Limits.logBytesUsual
  /// Whether a person at a terminal is told how a job that was started is left and cancelled.
  package var hints = true
  /// Whether a job gets no more memory than it requires.
  package var enforcesRequirements = false

  /// Whether the machine is kept from going to sleep by itself while a job runs that a person has started.
  package var keepAwake = true
  /// A battery with less than this percentage is low.
  package var lowBattery = 20
  /// What a person lets which bundles do.
  package var bundleSettings: [JobIdentifier: BundleSettings] = [:]

  /// What each bundle gets of the moments that the runner picks for it.
  package var budget = Budget()

  /// The engines that run attempts elsewhere, by name; and the default one.
  package var engines: [String: EngineSettings] = [:]
  package var on: String?

  package var notices = NoticeSettings()
  package var onEnd = EndCommandSettings()

  package init() {}

  /// How many jobs run at the same time on a machine with so many processors.
  package func slots(processors: Int) -> Int { slots ?? max(2, processors) }

  /// The names of all settings in the file; `jobrun help --man` explains each.
  package static let keys = [
    "slots", "stateDir", "idleMinutes", "historyLimit", "bundles", "taskbar", "notify", "onEnd",
    "logLimit", "hints", "enforce", "settings",
    "keepAwake", "lowBattery", "groups", "budget", "engines", "on", "resources",
  ]

  /// Reads the file's bytes; comments are allowed.
  ///
  /// `file`: its path, for the sentence about a mistake.
  package static func parse(
    _ bytes: [UInt8], file: String
  ) throws(ManifestError) -> RunnerConfiguration {
    let fields = try ManifestFields(bytes, file: file, known: keys)
    var configuration = RunnerConfiguration()
    configuration.slots = try fields.number("slots", in: 1...Limits.slots)
    configuration.groups = try fields.groups()
    configuration.resources = try fields.resources()
    configuration.stateDirectory = try fields.text("stateDir").map { (path) throws(ManifestError) in
      try fields.absolute(path, "stateDir")
    }
    configuration.idleMinutes =
      try fields.number("idleMinutes", in: 0...525_600) ?? configuration.idleMinutes
    if let limit = try fields.object("historyLimit", known: ["count", "days"]) {
      configuration.historyCount =
        try limit.number("count", in: 0...10_000_000) ?? configuration.historyCount
      configuration.historyDays =
        try limit.number("days", in: 0...36_500) ?? configuration.historyDays
    }
    configuration.logLimit = try fields.logLimit() ?? configuration.logLimit
    configuration.taskbar = try fields.flag("taskbar")
    configuration.hints = try fields.flag("hints") ?? configuration.hints
    configuration.keepAwake = try fields.flag("keepAwake") ?? configuration.keepAwake
    configuration.lowBattery =
      try fields.number("lowBattery", in: 0...100) ?? configuration.lowBattery
    configuration.budget = try fields.budget()
    configuration.bundleSettings = try BundleSettings.all(in: fields)
    configuration.engines = try EngineSettings.all(in: fields)
    configuration.on = try fields.text("on")
    if let name = configuration.on, name != EngineName.here, configuration.engines[name] == nil {
      throw fields.problem(
        "on",
        "is \(name.quoted): "
          + EngineName.unknown(name, among: Array(configuration.engines.keys)))
    }
    configuration.enforcesRequirements = try fields.flag("enforce") ?? false
    configuration.notices = try NoticeSettings(fields)
    configuration.onEnd = try EndCommandSettings(fields)
    for path in try fields.texts("bundles") ?? [] {
      configuration.bundles.append(try fields.absolute(path, "bundles"))
    }
    return configuration
  }
}

extension ManifestFields {
  /// Zero is no limit.
  fileprivate func budget() throws(ManifestError) -> Budget {
    var budget = Budget()
    guard let fields = try object("budget", known: ["starts", "processorTime"]) else {
      return budget
    }
    if let starts = try fields.number("starts", in: 0...1_000_000) {
      budget.starts = starts == 0 ? nil : starts
    }
    if let time = try fields.duration("processorTime") {
      budget.processorTime = time == .zero ? nil : time
    }
    return budget
  }

  fileprivate func groups() throws(ManifestError) -> [GroupName: Int] {
    var groups: [GroupName: Int] = [:]
    for (name, number) in try numbers("groups", in: 1...Limits.slots) {
      guard let group = GroupName(name) else {
        throw problem(
          "groups",
          "names \(name.quoted); a group is called by 1 to \(GroupName.bytesLimit) letters,"
            + " digits, '-' and '_', with single dots between them")
      }
      groups[group] = number
    }
    return groups
  }

  fileprivate func resources() throws(ManifestError) -> [String: Int] {
    var resources: [String: Int] = [:]
    for (name, number) in try numbers("resources", in: 1...Limits.countedRequirement) {
      guard RequirementText.isFree(name) else {
        throw problem(
          "resources",
          "names \(name.quoted); a resource is called by 1 to \(GroupName.bytesLimit) letters, digits,"
            + " '-' and '_', and not as what every machine has (gpu, cpu, memory, disk, network, power)"
        )
      }
      resources[name] = number
    }
    return resources
  }

  fileprivate func absolute(_ path: String, _ key: String) throws(ManifestError) -> String {
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw problem(key, "names \(path.quoted); an absolute path is needed, which begins with /")
    }
    return path
  }
}
