package import JobCore

extension BundleSettings {
  /// The names of the settings, in the file and on the command line.
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case background, slots, gpu, network, priority, budget
  }

  /// `"settings"` of `config.json`: an object for each bundle, by its identifier.
  ///
  /// The bundle need not exist yet; a later one gets its settings.
  static func all(
    in fields: ManifestFields
  ) throws(ManifestError) -> [JobIdentifier: BundleSettings] {
    var all: [JobIdentifier: BundleSettings] = [:]
    let keys = Key.allCases.map { $0.rawValue }
    for (name, found) in try fields.namedObjects("settings", known: keys) {
      guard let bundle = JobIdentifier(name) else {
        throw fields.problem(
          "settings", "names no bundle: \(JobIdentifier.problem(in: name) ?? name.quoted)")
      }
      var settings = BundleSettings()
      settings.background = try found.flag(Key.background.rawValue)
      settings.slots = try found.number(Key.slots.rawValue, in: 1...Limits.slots)
      settings.gpu = try found.flag(Key.gpu.rawValue)
      settings.network = try found.flag(Key.network.rawValue)
      settings.priority = try found.choice(
        Key.priority.rawValue, as: Submission.Priority.self)
      settings.budget = try found.flag(Key.budget.rawValue)
      if !settings.isEmpty { all[bundle] = settings }
    }
    return all
  }

  /// The value as people write it: `slots=2`, `gpu=no`.
  package func text(of key: Key) -> String? {
    switch key {
    case .background: background.map { $0 ? "yes" : "no" }
    case .slots: slots.map { "\($0)" }
    case .gpu: gpu.map { $0 ? "yes" : "no" }
    case .network: network.map { $0 ? "yes" : "no" }
    case .priority: priority?.rawValue
    case .budget: budget.map { $0 ? "yes" : "no" }
    }
  }

  /// Sets a value from its written form.
  package mutating func set(_ key: Key, to text: String) throws(WireError) {
    switch key {
    case .background: background = try Self.flag(text, key)
    case .gpu: gpu = try Self.flag(text, key)
    case .network: network = try Self.flag(text, key)
    case .budget: budget = try Self.flag(text, key)
    case .priority:
      guard let word = Submission.Priority(rawValue: text) else {
        throw WireError(.usage, "priority is \(text.quoted); it must be high, normal or low")
      }
      priority = word
    case .slots:
      guard let count = Int(text), (1...Limits.slots).contains(count), "\(count)" == text else {
        throw WireError(
          .usage,
          "slots is \(text.quoted); it must be a whole number from 1 to \(Limits.slots)")
      }
      slots = count
    }
  }

  /// Copies a value from other settings.
  package mutating func take(_ key: Key, from other: BundleSettings) {
    switch key {
    case .background: background = other.background
    case .slots: slots = other.slots
    case .gpu: gpu = other.gpu
    case .network: network = other.network
    case .budget: budget = other.budget
    case .priority: priority = other.priority
    }
  }

  private static func flag(_ text: String, _ key: Key) throws(WireError) -> Bool {
    switch text {
    case "yes", "on", "true": return true
    case "no", "off", "false": return false
    default:
      throw WireError(.usage, "\(key.rawValue) is \(text.quoted); it must be yes or no")
    }
  }

  /// A value as JSON; nil when it is not set.
  package func json(of key: Key) -> String? {
    switch key {
    case .background: background.map { "\($0)" }
    case .slots: slots.map { "\($0)" }
    case .gpu: gpu.map { "\($0)" }
    case .network: network.map { "\($0)" }
    case .budget: budget.map { "\($0)" }
    case .priority: priority.map { "\"\($0.rawValue)\"" }
    }
  }
}
