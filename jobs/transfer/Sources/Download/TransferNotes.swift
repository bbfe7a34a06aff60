internal import Foundation
internal import Glibc
internal import JobFiles

/// The state of an incomplete file, kept beside it as JSON.
struct TransferNotes: Codable, Hashable {
  /// The address, without its password.
  var address: String
  /// What the file is the response to; nil = a GET.
  var question: Question?
  /// The validator of the server's file (`ResponseHead.validator`); without it no partial file can be
  /// trusted.
  var validator: String?
  /// The total size in bytes; nil if unknown.
  var total: Int64?
  /// The compression of the content (`ResponseHead.encoding`).
  var encoding: String?
  /// The server's name for it, sanitized.
  var name: String?
  /// The SHA-256 that the server announced, in base64.
  var promisedDigest: String?
  var pieces: [Piece] = []
  /// The pieces that are certainly on the disk, also after a power cut.
  var durable: [Piece] = []
  /// The boot of the machine during which `pieces` was written (`man 4 random`, boot_id).
  var boot = ""
  /// Whether the server has ignored range requests.
  var refusesRanges = false

  /// The method of a request that is no GET, and the file that is its body.
  struct Question: Codable, Hashable {
    var method: String
    var body: SentFile.Stamp?
    /// `SentFile.smallDigest` of the body.
    var digest: [UInt8]?
  }

  var isWhole: Bool { !pieces.isEmpty && pieces.allSatisfy(\.isWhole) }
  var done: Int64 { pieces.reduce(0) { $0 + $1.done } }

  private static let maximumBytes = 1 << 20

  /// Forgets the received data; the address stays.
  mutating func restart() {
    var fresh = TransferNotes(address: address, question: question)
    fresh.boot = boot
    fresh.refusesRanges = refusesRanges
    self = fresh
  }

  /// The notes at `path`, as far as they are valid in the boot `boot` of the machine; nil when there is
  /// nothing to resume.
  ///
  /// A single piece is written in order, so that the `size` of the partial file says more than notes of a
  /// second ago. Pieces beyond its end never arrived.
  static func read(_ path: BytePath, boot: String, size: Int64) -> TransferNotes? {
    guard let bytes = SmallFile.read(path, most: maximumBytes, isOwn: true),
      var notes = try? JSONDecoder().decode(TransferNotes.self, from: Data(bytes)),
      notes.pieces.allSatisfy(\.isSound), notes.durable.allSatisfy(\.isSound)
    else { return nil }
    if notes.boot != boot {
      notes.pieces = notes.durable
    } else if notes.pieces.count == 1 {
      notes.pieces[0].done = min(size, notes.pieces[0].end ?? size)
    }
    notes.boot = boot
    if notes.pieces.contains(where: { $0.done > 0 && $0.next > size }) { notes.pieces = [] }
    return notes
  }

  /// Writes them to the file at `path`, completely or not at all.
  func write(_ path: BytePath, durably: Bool = false) throws(TransferError) {
    let bytes = (try? JSONEncoder().encode(self)).map { Array($0) } ?? []
    guard SmallFile.replace(path, with: bytes, durably: durably) else {
      throw .target(path, Report.reason(errno))
    }
  }
}
