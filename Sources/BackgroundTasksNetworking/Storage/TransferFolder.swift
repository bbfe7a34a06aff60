internal import Foundation
internal import JobClient
internal import JobWire
internal import LinuxSystem

/// The private files of one transfer; the folder exists from its start until its end has been delivered.
struct TransferFolder: Sendable {
  let path: String

  /// The downloaded file, which has this name only when it is complete.
  var file: String { "\(path)/file" }
  var part: String { "\(path)/file.part" }
  var notes: String { "\(path)/file.part.notes" }
  var headers: String { "\(path)/headers" }
  var body: String { "\(path)/body" }
  var answer: String { "\(path)/answer.json" }
  var answerBody: String { "\(path)/answer.body" }
  private var record: String { "\(path)/task.json" }

  /// Whether the folder is complete.
  var isRecorded: Bool { File.exists(record) }

  func read() -> TransferRecord? {
    guard let bytes = try? File.readAll(record) else { return nil }
    return try? JSONDecoder().decode(TransferRecord.self, from: Data(bytes))
  }

  /// Makes the folder with all that its job needs; after a power cut it exists completely or not at all.
  func make(_ record: TransferRecord, body: Data?) throws(WireError) {
    try keep { () throws(SystemError) in
      try File.makeDirectories(path, permissions: 0o700)
      try File.writeAtomically(Array(record.request.lines.utf8), to: headers)
      if let body { try File.writeAtomically(Array(body), to: self.body) }
    }
    try write(record, durable: true)
  }

  func write(_ record: TransferRecord, durable: Bool = false) throws(WireError) {
    guard let bytes = try? JSONEncoder().encode(record) else { return }
    try keep { () throws(SystemError) in
      try File.writeAtomically(Array(bytes), to: self.record, durable: durable)
    }
  }

  /// In one step, so that a delivered end is never delivered again.
  func remove() {
    let gone = "\(path).told"
    try? File.rename(path, to: gone)
    try? File.removeTree(gone)
  }

  private func keep(_ work: () throws(SystemError) -> Void) throws(WireError) {
    try WireError.from(.cannotCreate, work)
  }
}
