package import JobCore

/// `config.json`: what the owner of the machine may set; a missing file means all defaults.
package struct RunnerConfiguration: Hashable, Sendable {
  /// Jobs that run at the same time; nil = the processors, at least 2.
  package var slots: Int?
  /// The same for groups of jobs that have another number.
  package var groups: [GroupName: Int] = [:]
  /// What the owner counts, by name, and how many there are.
  package var resources: [String: Int] = [:]
  /// The GPUs that jobs may use; nil = all.
  package var gpus: GPUSelection?
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

  /// Reads the file's bytes; comments are allowed.
  ///
  /// `file`: its path, for the sentence about a mistake.
  package static func parse(
    _ bytes: [UInt8], file: String
  ) throws(ManifestError) -> RunnerConfiguration {
    let fields = try ManifestFields(bytes, file: file, known: SettingsKey.all.map { $0.name })
    var configuration = RunnerConfiguration()
    for key in SettingsKey.all { try key.read(fields, &configuration) }
    return configuration
  }
}
