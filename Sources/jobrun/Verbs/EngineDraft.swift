import JobWire

/// A new engine of `config.json`, from the answers of a person.
struct EngineDraft {
  /// The kinds that a few answers describe; a pool is a list of others.
  static let kinds: [EngineSettings.Kind] = [.host, .slurm, .batch]

  let name: String
  var kind = EngineSettings.Kind.host
  var preset: String?
  /// Nil = this machine.
  var through: String?
  var folder: String?

  /// Its keys and values, in the order in which they are written.
  private var members: [(key: String, value: String)] {
    let all: [(String, String?)] = [
      ("kind", kind.rawValue), ("preset", preset), ("through", through), ("folder", folder),
    ]
    return all.compactMap { key, value in value.map { (key, Self.json($0)) } }
  }

  /// Each is written before the others of its object: the last one comes first.
  var changes: [SettingsFile.Change] {
    members.reversed().map { .init(["engines", name, $0.key], $0.value) }
  }

  /// The engine, as the settings would have it.
  ///
  /// - Throws: `usage`, with the sentence about what is wrong.
  func engine() throws(WireError) -> EngineSettings {
    let text = members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
    let settings = Array("{\"engines\": {\"\(name)\": {\(text)}}}".utf8)
    do throws(ManifestError) {
      if let engine = try RunnerConfiguration.parse(settings, file: "").engines[name] {
        return engine
      }
    } catch {
      throw WireError(.usage, error.problem)
    }
    throw WireError(.internal, "the engine \(name) was not read")
  }

  /// The first thing that is wrong with the answers so far; nil if none is.
  var problem: String? {
    var draft = self
    // Those that are still to come.
    if kind != .host { draft.folder = folder ?? "/" }
    if kind == .batch { draft.preset = preset ?? BatchSystem.presets.first?.name }
    do throws(WireError) {
      _ = try draft.engine()
      return nil
    } catch {
      return error.message
    }
  }

  private static func json(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
