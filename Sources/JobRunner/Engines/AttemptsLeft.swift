package import JobCore
internal import JobPage
package import JobWire
package import LinuxSystem

/// Attempts that were given up here and may still run on their engines, which end them on the next contact.
///
/// They are stored in a file for the next runner, one line each: `tower 12.1`, followed by ` begun` if the
/// attempt was reported as begun. Other lines are ignored.
package struct AttemptsLeft {
  private struct Left {
    var engine: String
    var hasStarted: Bool
  }

  private let path: String
  private var attempts: [EngineAttempt: Left] = [:]

  /// Larger than any such file, in bytes.
  private static let limit = 1 << 20
  private static let begun = "begun"

  package init(_ path: String) {
    self.path = path
    let bytes = (try? File.readAll(path, limit: Self.limit)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2 || words.count == 3 && words[2] == Self.begun,
        EngineName.problem(String(words[0])) == nil
      else { continue }
      let numbers = words[1].split(separator: ".")
      guard numbers.count == 2, let value = UInt64(numbers[0]),
        JobNumber(value).isPossible, let attempt = Int32(numbers[1]), attempt > 0
      else { continue }
      attempts[EngineAttempt(JobNumber(value), Int(attempt))] = Left(
        engine: String(words[0]), hasStarted: words.count == 3)
    }
  }

  package var names: Set<String> { Set(attempts.values.map(\.engine)) }

  package func contains(_ attempt: EngineAttempt) -> Bool { attempts[attempt] != nil }

  package func contains(_ attempt: EngineAttempt, of engine: String) -> Bool {
    attempts[attempt]?.engine == engine
  }

  /// Whether an attempt of this job on `engine` must wait until attempts that were given up have ended.
  ///
  /// Only one attempt of a job runs at a time, and what is left on a machine may still use any of its GPUs.
  package func delays(_ number: JobNumber, on engine: String, withGPUs: Bool) -> Bool {
    attempts.contains { $0.job == number || withGPUs && $1.engine == engine }
  }

  /// All attempts of one engine; their logs are not needed.
  package func all(of engine: String) -> [EngineAdoption] {
    attempts.filter { $0.value.engine == engine }
      .map { EngineAdoption($0, logBytes: LogLayout.largest, hasStarted: $1.hasStarted) }
      .sorted { ($0.attempt.job, $0.attempt.attempt) < ($1.attempt.job, $1.attempt.attempt) }
  }

  /// - Throws: when it is known to this runner only.
  package mutating func insert(
    _ attempt: EngineAttempt, of engine: String, hasStarted: Bool
  ) throws(SystemError) {
    attempts[attempt] = Left(engine: engine, hasStarted: hasStarted)
    try write()
  }

  /// The attempt no longer runs there; if it stays in the file, it is only ended again.
  package mutating func remove(_ attempt: EngineAttempt) {
    if attempts.removeValue(forKey: attempt) != nil { try? write() }
  }

  private func write() throws(SystemError) {
    if attempts.isEmpty { return try File.remove(path) }
    let lines = attempts.map { attempt, left in
      "\(left.engine) \(attempt.job).\(attempt.attempt)\(left.hasStarted ? " \(Self.begun)" : "")\n"
    }.sorted()
    try File.writeAtomically(Array(lines.joined().utf8), to: path)
  }
}
