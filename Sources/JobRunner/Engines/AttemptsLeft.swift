package import JobCore
package import JobWire
package import LinuxSystem

/// Attempts that were given up here and may go on elsewhere: their engines end them once they answer.
///
/// They stand in a file for the next runner, a line each: `tower 12.1`. What is no such line is passed over.
package struct AttemptsLeft {
  private let path: String
  private var engines: [EngineAttempt: String] = [:]

  /// Larger than any such file, in bytes.
  private static let limit = 1 << 20

  package init(_ path: String) {
    self.path = path
    let bytes = (try? File.readAll(path, limit: Self.limit)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, EngineName.problem(String(words[0])) == nil else { continue }
      let numbers = words[1].split(separator: ".")
      guard numbers.count == 2, let number = UInt64(numbers[0]).map(JobNumber.init),
        number.isPossible, let attempt = Int32(numbers[1]), attempt > 0
      else { continue }
      engines[EngineAttempt(number, Int(attempt))] = String(words[0])
    }
  }

  package var names: Set<String> { Set(engines.values) }

  package func contains(_ attempt: EngineAttempt) -> Bool { engines[attempt] != nil }

  package func contains(_ attempt: EngineAttempt, of engine: String) -> Bool {
    engines[attempt] == engine
  }

  /// Of this job something may go on.
  package func hasAny(of number: JobNumber) -> Bool { engines.keys.contains { $0.job == number } }

  /// Those of one engine.
  package func all(of engine: String) -> [EngineAttempt] {
    engines.filter { $0.value == engine }.map(\.key)
      .sorted { ($0.job, $0.attempt) < ($1.job, $1.attempt) }
  }

  /// - Throws: when it is known to this runner only.
  package mutating func insert(_ attempt: EngineAttempt, of engine: String) throws(SystemError) {
    engines[attempt] = engine
    try write()
  }

  /// Nothing of it goes on there; one that stays in the file is only ended again.
  package mutating func remove(_ attempt: EngineAttempt) {
    if engines.removeValue(forKey: attempt) != nil { try? write() }
  }

  private func write() throws(SystemError) {
    if engines.isEmpty { return try File.remove(path) }
    let lines = engines.map { "\($0.value) \($0.key.job).\($0.key.attempt)\n" }.sorted()
    try File.writeAtomically(Array(lines.joined().utf8), to: path)
  }
}
