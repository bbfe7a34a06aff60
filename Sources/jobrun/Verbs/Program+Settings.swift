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
    let path = link.paths.configurationFile
    let before = try surroundings.configuration(link.paths).bundleSettings[bundle]
    var after = before ?? BundleSettings()
    try change(&after, action, words.dropFirst(2))
    try SettingsFile(path: path).write(
      after.isEmpty ? nil : after.json, to: ["settings", bundle.text], "settings of \(bundle)"
    ) { $0.bundleSettings[bundle] ?? BundleSettings() == after }
    if link.connectIfRunning() { _ = try link.ask(.reload) }
    return try listSettings(on: link, invocation, only: bundle)
  }

  private func change(
    _ settings: inout BundleSettings, _ action: SettingsAction, _ words: ArraySlice<String>
  ) throws(WireError) {
    if action == .set, words.isEmpty {
      throw WireError(.usage, "settings set needs a setting, such as background=no or slots=1")
    }
    if action == .unset, words.isEmpty { settings = BundleSettings() }
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let key = BundleSettings.Key(rawValue: name) else {
        throw WireError(
          .usage,
          "\(name.quoted) is not a setting of a bundle"
            + NearestName.hint(for: name, among: BundleSettings.Key.allCases.map { $0.rawValue }))
      }
      if action == .unset {
        settings.unset(key)
      } else if parts.count == 2 {
        try settings.set(key, to: String(parts[1]))
      } else {
        let example = key == .slots ? "slots=1" : "\(name)=no"
        throw WireError(.usage, "\(name) needs a value; write something like \(example)")
      }
    }
  }

  /// The settings of all bundles that have some, or of one that has just changed.
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
        line: "nothing is set; every bundle may do all."
          + " Try: jobrun settings set BUNDLE background=no")
    }
    for name in names where !known.contains(name) && all[name] != nil {
      talk.write(
        line: "jobrun: no bundle \(name) is known here (jobrun jobs shows where is looked);"
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
    }
  }
}
