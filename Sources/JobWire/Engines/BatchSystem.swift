internal import JobCore

/// A batch system as data: the commands that submit a job, list all and cancel some, and how their answers
/// are read.
package struct BatchSystem: Hashable, Sendable {
  /// The keys of its settings.
  package enum Key: String, CaseIterable, Sendable {
    case submit, id, list, row, waiting, running, ended, show, gone, cancel
    /// What a job requests, a template each.
    case queue, cpu, memory, gpu, limit
  }

  private var texts: [Key: String]

  package init(_ texts: [Key: String] = [:]) { self.texts = texts }

  /// Empty for a key without a value.
  package subscript(key: Key) -> String {
    get { texts[key] ?? "" }
    set { texts[key] = newValue }
  }

  package func template(_ key: Key) -> BatchTemplate { BatchTemplate(self[key]) }

  /// The keys whose templates are not a part of the submission's: they come with its `{options}`.
  package var optionKeys: [Key] {
    let places = template(.submit).places
    return Self.requestKeys.filter { !self[$0].isEmpty && !places.contains($0.rawValue) }
  }

  static let requestKeys: [Key] = [.queue, .cpu, .memory, .gpu, .limit]

  /// Why it cannot give a job these resources, in a sentence about `engine`; nil if it can.
  func problem(
    _ demand: Requirements, _ partition: String?, on engine: String
  ) -> String? {
    let wanted: [(isWanted: Bool, word: String, key: Key?)] = [
      (partition != nil, "a partition", .queue),
      (demand.processors > 0, "cpu", .cpu), (demand.memoryBytes > 0, "memory", .memory),
      (demand.gpuCount > 0, "gpu", .gpu), (demand.gpuMemoryBytes > 0, "gpu-memory", nil),
      (demand.diskBytes > 0, "disk", nil),
    ]
    for (isWanted, word, key) in wanted where isWanted && key.map({ self[$0].isEmpty }) ?? true {
      let remedy =
        key.map { "give \(engine.quoted) a template for \($0.rawValue.quoted) in config.json" }
        ?? "leave it out, and name it in the engine's \"options\" instead"
      return "\(engine.quoted) cannot be asked for \(word); \(remedy)"
    }
    return nil
  }
}

/// Its values in the order of the keys.
extension BatchSystem: FieldRepresentable {
  package var field: [String] { Key.allCases.map { self[$0] } }

  package init(field: [String]) throws(WireError) {
    guard field.count == Key.allCases.count else {
      throw WireError(
        .badFrame, "a batch system has \(Key.allCases.count) values, not \(field.count)")
    }
    self.init()
    for (key, text) in zip(Key.allCases, field) { self[key] = text }
  }
}
