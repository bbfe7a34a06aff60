internal import Foundation
internal import JobClient
internal import JobWire
internal import LinuxSystem

/// The files of one transfer, nobody else's to read; the folder is there from its beginning until its end
/// has been told.
struct TransferFolder: Sendable {
  let path: String

  /// What has been downloaded, under this name only when it is whole.
  var file: String { "\(path)/file" }
  var part: String { "\(path)/file.part" }
  var notes: String { "\(path)/file.part.notes" }
  var headers: String { "\(path)/headers" }
  var body: String { "\(path)/body" }
  var answer: String { "\(path)/answer.json" }
  var answerBody: String { "\(path)/answer.body" }
  private var record: String { "\(path)/task.json" }

  /// Whether it is more than half made.
  var isRecorded: Bool { File.exists(record) }

  func read() -> TransferRecord? {
    guard let bytes = try? File.readAll(record) else { return nil }
    return try? JSONDecoder().decode(TransferRecord.self, from: Data(bytes))
  }

  /// Makes the folder with all that its job needs; over a power cut it is there whole or not at all.
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

  /// In one step: what was told is never told again.
  func remove() {
    let gone = "\(path).told"
    try? File.rename(path, to: gone)
    try? File.removeTree(gone)
  }

  private func keep(_ work: () throws(SystemError) -> Void) throws(WireError) {
    try WireError.from(.cannotCreate, work)
  }
}
