internal import JobCore
internal import JobPage
internal import JobWire
internal import LinuxSystem

/// One submission: an attempt, or many with equal requests as the elements of a job array.
///
/// A file lists the folders of an array's attempts, in the order of its elements: their supervisors find
/// their folders there, and a later helper the attempts.
package struct SlurmBatch {
  let attempts: [EngineAttempt]
  /// The name in Slurm, without the common prefix of this engine.
  let name: String

  init(_ attempts: [EngineAttempt]) {
    self.attempts = attempts
    name =
      attempts.count == 1
      ? SlurmNames.short(attempts[0]) : "b\(RandomBytes.hexadecimal(count: 8))"
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

  /// The attempts of the array with this name in Slurm.
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

  /// The elements that `4711_[0-3,7%2]` or `4711_7` stands for, and the part before them.
  package static func elements(of id: String, most: Int) -> (job: String, indices: [Int]) {
    let parts = id.utf8.split(separator: UInt8(ascii: "_"), maxSplits: 1)
    guard parts.count == 2, let job = String(parts[0]) else { return (id, []) }
    let list = parts[1].drop { $0 == UInt8(ascii: "[") }.prefix {
      $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "%")
    }
    var indices: [Int] = []
    for range in list.split(separator: UInt8(ascii: ",")) {
      let ends = range.split(separator: UInt8(ascii: "-")).map { Int(Substring($0)) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
        continue
      }
      indices += first...min(last, max(first, most - 1))
    }
    return (job, indices.filter { $0 < most })
  }
}
