internal import Foundation
internal import JobFiles

/// The notes of a download as they change, and their file beside the part.
///
/// What the notes say has been written to the part before. That holds over the death of the process; for
/// a power cut the part is brought to the disk from time to time, without anybody waiting for it.
final class DownloadState {
  /// Notes are written this often, so that little comes twice after a kill.
  private static let interval = Duration.seconds(1)
  /// And the part is brought to the disk this often.
  private static let durableInterval = Duration.seconds(20)

  var notes: TransferNotes
  private let path: BytePath
  private let descriptor: Int32
  private var writtenAt = ContinuousClock.now
  private var syncedAt = ContinuousClock.now
  private let synced = SyncedPieces()

  /// Takes up what an earlier download of the same address left in `part`.
  init(_ plan: DownloadPlan, _ part: PartFile) throws(TransferError) {
    path = BytePath(part.path.bytes + Array(".notes".utf8))
    descriptor = part.descriptor
    let boot = Self.bootIdentifier()
    let old = part.isNew ? nil : TransferNotes.read(path, boot: boot, size: part.size)
    if let old, old.address == plan.address.shown {
      notes = old
      if old.validator == nil || old.pieces.isEmpty { notes.restart() }
    } else {
      guard part.isNew || plan.force || part.size == 0 else {
        throw .target(part.path, Self.foreign(old))
      }
      notes = TransferNotes(address: plan.address.shown, boot: boot)
    }
    // What one piece has behind its end is of nobody: a power cut may have left it.
    if notes.pieces.count <= 1 { try part.cut(to: notes.done) }
  }

  /// Writes the notes when it is time.
  func keep() throws(TransferError) {
    let now = ContinuousClock.now
    if now - syncedAt > Self.durableInterval {
      syncedAt = now
      synced.begin(notes.pieces, descriptor)
    }
    guard now - writtenAt > Self.interval else { return }
    try keepAtOnce()
  }

  func keepAtOnce() throws(TransferError) {
    writtenAt = .now
    if let durable = synced.take() { notes.durable = durable }
    try notes.write(path)
  }

  /// Forgets what has come, and what is on its way to the disk.
  ///
  /// It is on the disk before anything else comes: notes of what was there must not tell of that.
  func restart() throws(TransferError) {
    synced.forget()
    notes.restart()
    notes.pieces = [Piece(start: 0)]
    try notes.write(path, durably: true)
  }

  func remove() { SmallFile.remove(path) }

  private static func foreign(_ old: TransferNotes?) -> String {
    guard let old else { return "it is not an interrupted download of this; --force replaces it" }
    return "it is an interrupted download of \(old.address); --force replaces it"
  }

  /// Names this start of the machine; one that is unknown is like no other.
  private static func bootIdentifier() -> String {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString
  }
}
