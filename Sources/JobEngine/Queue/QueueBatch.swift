internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// One submission: an attempt, or many with equal requests as the elements of a job array.
///
/// A file lists the folders of an array's attempts, in the order of its elements: their supervisors find
/// their folders there, and a later helper the attempts.
package struct QueueBatch {
  let attempts: [EngineAttempt]
  /// The name in the queue, without the common prefix of this engine.
  let name: String

  init(_ attempts: [EngineAttempt]) {
    self.attempts = attempts
    name =
      attempts.count == 1
      ? QueueNames.short(attempts[0]) : "b\(RandomBytes.hexadecimal(count: 8))"
  }

  /// The minimum number for an array.
  static let fewest = 9

  static func folder(_ store: String) -> String { "\(store)/batches" }

  func list(_ store: String) -> String { "\(Self.folder(store))/\(name)" }

  /// Writes the list where the nodes find it.
  func write(_ store: String) throws(SystemError) {
    var text = ""
    for attempt in attempts {
      let folder = JobFolder(
        store: store, number: attempt.job.value, attempt: UInt64(attempt.attempt))
      text += "\(folder.path)\n"
    }
    try File.makeDirectories(Self.folder(store))
    try SharedPage.create(list(store), Array(text.utf8))
  }

  static func remove(_ name: String, _ store: String) {
    let list = "\(folder(store))/\(name)"
    for path in [list, "\(list).log"] { try? File.remove(path) }
  }

  /// The attempts of the array with this name in the queue.
  static func attempts(of name: String, _ store: String) -> [EngineAttempt] {
    guard !name.utf8.contains(UInt8(ascii: "/")),
      let bytes = try? File.readAll("\(folder(store))/\(name)", limit: 64 << 20)
    else { return [] }
    return bytes.split(separator: 0x0A).compactMap { line in
      JobFolder(path: String(decoding: line, as: UTF8.self)).attempt.flatMap { found in
        Int(exactly: found.attempt).map { EngineAttempt(JobNumber(found.number), $0) }
      }
    }
  }
}
