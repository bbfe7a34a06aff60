// The settings of a batch system, as people write them.
extension BatchSystem {
  package static let keys = ["preset"] + Key.allCases.map { $0.rawValue }

  /// A setting beside `"preset"` replaces that of the preset.
  init(_ fields: ManifestFields) throws(ManifestError) {
    self.init()
    if let name = try fields.text("preset") {
      guard let preset = Self.presets.first(where: { $0.name == name }) else {
        let hint = NearestName.hint(for: name, among: Self.presets.map { $0.name })
        throw fields.problem("preset", "is \(name.quoted), which is not known\(hint)")
      }
      self = preset.system
    } else {
      self[.id] = "([0-9]+)"
    }
    for key in Key.allCases {
      if let text = try fields.text(key.rawValue) { self[key] = text }
      if self[key].isEmpty, let example = Self.examples[key] {
        throw fields.problem(
          key.rawValue,
          "is missing; write something like \"\(key.rawValue)\": \(example.quoted), or name a"
            + " \"preset\": \(NearestName.choice(of: Self.presets.map { $0.name }))")
      }
    }
    for (key, known) in Self.places where !self[key].isEmpty { try checkPlaces(key, known, fields) }
    for key in [Key.id, .row, .waiting, .running, .ended, .gone] where !self[key].isEmpty {
      try checkPattern(key, fields)
    }
    if self[.show].isEmpty != self[.gone].isEmpty {
      throw fields.problem(
        self[.show].isEmpty ? Key.gone.rawValue : Key.show.rawValue,
        "is alone; \"show\" and \"gone\" belong together, like \"show\": \"qstat -j {id}\","
          + " \"gone\": \"do not exist\"")
    }
    if let key = optionKeys.first, !template(.submit).places.contains("options") {
      throw fields.problem(
        Key.submit.rawValue,
        "has no {options}, where \(key.rawValue.quoted) goes; write it like"
          + " \(Self.examples[.submit, default: ""].quoted)")
    }
  }

  /// The settings that are needed.
  private static let examples: [Key: String] = [
    .submit: "qsub -N {name} {options} {script}",
    .list: "qstat -u {user}",
    .row: "^ *(?<id>[0-9]+) .* (?<state>[A-Za-z]+) ",
    .waiting: "qw|hqw",
    .running: "r|t",
    .cancel: "qdel {id}",
  ]

  /// The places of each template, a needed one first.
  private static let places: [(key: Key, places: [String])] = [
    (.submit, ["script", "options", "name", "log", "folder"] + requestKeys.map { $0.rawValue }),
    (.list, ["", "user"]), (.show, ["id"]), (.cancel, ["id", "user"]), (.queue, ["queue"]),
    (.cpu, ["n"]), (.gpu, ["n"]), (.memory, ["", "bytes", "kb", "mb", "gb", "mbPerCPU"]),
    (.limit, ["", "seconds", "minutes", "hms"]),
  ]

  private func checkPlaces(
    _ key: Key, _ known: [String], _ fields: ManifestFields
  ) throws(ManifestError) {
    let places = template(key).places
    if let unknown = places.first(where: { !known.contains($0) }) {
      let hint = NearestName.hint(for: unknown, among: known.filter { !$0.isEmpty })
      throw fields.problem(key.rawValue, "has {\(unknown)}, which is not a place\(hint)")
    }
    if let needed = known.first, !needed.isEmpty, !places.contains(needed) {
      let example = Self.examples[key].map { "; write it like \($0.quoted)" } ?? ""
      throw fields.problem(
        key.rawValue, "is \(self[key].quoted), which has no {\(needed)}\(example)")
    }
  }

  private func checkPattern(_ key: Key, _ fields: ManifestFields) throws(ManifestError) {
    let pattern: LinePattern
    do throws(LinePattern.Problem) {
      pattern = try LinePattern(self[key])
    } catch {
      throw fields.problem(
        key.rawValue, "is \(self[key].quoted), which is no regular expression: \(error.reason)")
    }
    if key == .id, pattern.groupCount == 0 {
      throw fields.problem(
        key.rawValue, "is \(self[key].quoted), which has no group; write it like \"([0-9]+)\"")
    }
    guard key == .row else { return }
    for name in ["id", "state"] where pattern.group(name) == nil {
      throw fields.problem(
        key.rawValue,
        "is \(self[key].quoted), which has no group called \(name); write it like"
          + " \(Self.examples[.row, default: ""].quoted)")
    }
  }
}
