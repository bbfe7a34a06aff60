import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun settings [list | set BUNDLE NAME=VALUE … | unset BUNDLE [NAME …]]`.
  func settings(_ invocation: Invocation) throws(WireError) -> Int32 {
    let words = invocation.operands.map { $0.text }
    let link = try link()
    guard let word = words.first else { return try listSettings(on: link, invocation) }
    guard let action = SettingsAction(rawValue: word) else {
      throw WireError(
        .usage,
        "\(word.quoted) is not something to do with settings"
          + NearestName.hint(for: word, among: SettingsAction.allCases.map { $0.rawValue }))
    }
    if action == .list {
      guard words.count == 1 else {
        throw WireError(.usage, "settings list takes no argument, but got \(words[1].quoted)")
      }
      return try listSettings(on: link, invocation)
    }
    guard words.count > 1 else {
      throw WireError(.usage, "settings \(word) needs the identifier of a bundle")
    }
    guard let bundle = JobIdentifier(words[1]) else {
      throw WireError(.usage, JobIdentifier.problem(in: words[1]) ?? words[1].quoted)
    }
    let keys = try keys(action, words.dropFirst(2))
    var settings = BundleSettings()
    if action == .set { for (key, word) in keys { try settings.set(key, to: word) } }
    try SettingsFile(path: link.paths.configurationFile).write(
      keys.map { .init(["settings", bundle.text, $0.key.rawValue], settings.json(of: $0.key)) },
      "settings of \(bundle)"
    ) { configuration in
      var wanted = configuration.bundleSettings[bundle] ?? BundleSettings()
      for (key, _) in keys { wanted.take(key, from: settings) }
      configuration.bundleSettings[bundle] = wanted.isEmpty ? nil : wanted
    }
    if link.connectIfRunning() { _ = try link.ask(.reload) }
    return try listSettings(on: link, invocation, only: bundle)
  }

  /// The settings to change, with their values after `=`.
  private func keys(
    _ action: SettingsAction, _ words: ArraySlice<String>
  ) throws(WireError) -> [(key: BundleSettings.Key, word: String)] {
    let all = BundleSettings.Key.allCases
    if words.isEmpty {
      if action == .unset { return all.map { (key: $0, word: "") } }
      throw WireError(.usage, "settings set needs a setting, such as background=no or slots=1")
    }
    var keys: [(key: BundleSettings.Key, word: String)] = []
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let key = BundleSettings.Key(rawValue: name) else {
        throw WireError(
          .usage,
          "\(name.quoted) is not a setting of a bundle"
            + NearestName.hint(for: name, among: all.map { $0.rawValue }))
      }
      guard action == .unset || parts.count == 2 else {
        let example =
          switch key {
          case .slots: "slots=1"
          case .priority: "priority=low"
          case .background, .gpu, .network, .budget: "\(name)=no"
          }
        throw WireError(.usage, "\(name) needs a value; write something like \(example)")
      }
      keys.append((key: key, word: parts.count == 2 ? String(parts[1]) : ""))
    }
    return keys
  }

  /// The settings of all bundles that have some, or of one that was just changed.
  private func listSettings(
    on link: RunnerLink, _ invocation: Invocation, only one: JobIdentifier? = nil
  ) throws(WireError) -> Int32 {
    let all = try surroundings.configuration(link.paths).bundleSettings
    let names = one.map { [$0] } ?? all.keys.sorted { $0.text < $1.text }
    let known = try knownBundles(link.paths)
    for name in names {
      let settings = all[name] ?? BundleSettings()
      if invocation.isSet(.json) {
        writeJSON(settings, of: name, isKnown: known.contains(name))
      } else {
        let set = BundleSettings.Key.allCases.compactMap { key in
          settings.text(of: key).map { "\(key.rawValue)=\($0)" }
        }
        let text = set.isEmpty ? "nothing is set" : set.joined(separator: " ")
        data.buffer(line: "\(name)  \(text)")
      }
    }
    data.flush()
    if names.isEmpty, !invocation.isSet(.json) {
      talk.write(
        line: "no bundle is restricted. Try: jobrun settings set BUNDLE background=no")
    }
    for name in names where !known.contains(name) && all[name] != nil {
      talk.write(
        line: "jobrun: no bundle \(name) is known here (jobrun jobs shows where it looked);"
          + " its settings are kept")
    }
    return ExitCode.success
  }

  private func knownBundles(_ paths: Paths) throws(WireError) -> Set<JobIdentifier> {
    let search = try surroundings.search(
      flag: nil, directory: try surroundings.directory(), paths: paths)
    return Set(search.readAll().bundles.map { $0.manifest.identifier })
  }

  private func writeJSON(_ settings: BundleSettings, of bundle: JobIdentifier, isKnown: Bool) {
    writeJSON { writer in
      writer.field("bundle", bundle.text)
      writer.field("known", isKnown)
      writer.field("background", settings.background)
      writer.field("slots", settings.slots)
      writer.field("gpu", settings.gpu)
      writer.field("network", settings.network)
      writer.field("priority", settings.priority?.rawValue)
      writer.field("budget", settings.budget)
    }
  }
}
