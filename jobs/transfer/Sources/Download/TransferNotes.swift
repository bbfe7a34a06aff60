internal import Foundation
internal import Glibc
internal import JobFiles

/// What is known of a file that is not whole yet, kept beside it as JSON.
struct TransferNotes: Codable, Hashable {
  /// The address, without the password in it.
  var address: String
  /// What the server's file was (`ResponseHead.validator`); without it no part can be trusted.
  var validator: String?
  /// Bytes of the whole; nil when the server does not say.
  var total: Int64?
  /// How its content is packed (`ResponseHead.encoding`).
  var encoding: String?
  /// How the server calls it, made harmless.
  var name: String?
  /// The SHA-256 that the server promises, in base64.
  var promisedDigest: String?
  var pieces: [Piece] = []
  /// The pieces as they are on the disk for certain, also after a power cut.
  var durable: [Piece] = []
  /// The start of the machine that `pieces` is of (`man 4 random`, boot_id).
  var boot = ""
  /// Whether parts were asked for in vain.
  var refusesRanges = false

  var isWhole: Bool { !pieces.isEmpty && pieces.allSatisfy(\.isWhole) }
  var done: Int64 { pieces.reduce(0) { $0 + $1.done } }

  private static let maximumBytes = 1 << 20

  /// Forgets what has come; the address stays.
  mutating func restart() {
    var fresh = TransferNotes(address: address)
    fresh.boot = boot
    fresh.refusesRanges = refusesRanges
    self = fresh
  }

  /// What was left in the file at `path`, as far as it holds after the start of the machine `boot`; nil
  /// when there is nothing to go on with.
  ///
  /// What comes in one piece is written in order, so that the `size` of the part tells more than notes of
  /// a second ago. Pieces that lie behind its end never came.
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

  /// Puts them in the file at `path`, whole or not at all.
  func write(_ path: BytePath, durably: Bool = false) throws(TransferError) {
    let bytes = (try? JSONEncoder().encode(self)).map { Array($0) } ?? []
    guard SmallFile.replace(path, with: bytes, durably: durably) else {
      throw .target(path, Report.reason(errno))
    }
  }
}
