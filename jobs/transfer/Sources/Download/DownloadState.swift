internal import Foundation
internal import JobFiles

/// The notes of a download as they change, and their file beside the partial file.
///
/// Data is written to the partial file before the notes mention it. That covers the death of the process;
/// for a power cut the partial file is written to the disk from time to time, without blocking the
/// download.
final class DownloadState {
  /// The interval of writing the notes, so that little is repeated after a kill.
  private static let interval = Duration.seconds(1)
  /// The interval of writing the partial file to the disk.
  private static let durableInterval = Duration.seconds(20)

  var notes: TransferNotes
  private let path: BytePath
  private let descriptor: Int32
  private var writtenAt = ContinuousClock.now
  private var syncedAt = ContinuousClock.now
  private let synced = SyncedPieces()

  /// Loads what an earlier download by the same request left in `part`.
  ///
  /// `hasSent`: an earlier attempt of the job has sent a request that must not be repeated.
  init(_ plan: DownloadPlan, _ part: PartFile, hasSent: Bool) throws(TransferError) {
    path = plan.notes
    descriptor = part.descriptor
    let boot = Self.bootIdentifier()
    let old = part.isNew ? nil : TransferNotes.read(path, boot: boot, size: part.size)
    let isSame = old?.address == plan.address.shown && old?.question == plan.question
    if let old, isSame, old.isWhole, plan.hasAnswer {
      // It need only be checked, and given its name.
      notes = old
    } else if hasSent {
      if part.size == 0 {
        Self.remove(path)
        SmallFile.remove(part.path)
      }
      throw .fetching(
        plan.address.shown,
        "an earlier attempt has sent its \(plan.method.rawValue), and the server may have carried it"
          + " out; jobrun redo does not send it again: to do that, submit the download as a new job"
      )
    } else if let old, isSame {
      notes = old
      if old.validator == nil || old.pieces.isEmpty { notes.restart() }
    } else {
      guard part.isNew || plan.force || part.size == 0 else {
        throw .target(part.path, Self.foreign(old, plan))
      }
      notes = TransferNotes(address: plan.address.shown, question: plan.question, boot: boot)
    }
    // Data after the end of a single piece is invalid: a power cut may have left it.
    if notes.pieces.count <= 1 { try part.cut(to: notes.done) }
  }

  /// Writes the notes when that is due.
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

  /// Forgets the received data, and the data on its way to the disk.
  ///
  /// This is on the disk before new data arrives: the old notes must not describe that.
  func restart() throws(TransferError) {
    synced.forget()
    notes.restart()
    notes.pieces = [Piece(start: 0)]
    try notes.write(path, durably: true)
  }

  func remove() { Self.remove(path) }

  /// Removes the notes at `path`, and what a process that was killed while it wrote them left.
  static func remove(_ path: BytePath) {
    SmallFile.remove(path)
    SmallFile.removeLeftover(of: path)
  }

  private static func foreign(_ old: TransferNotes?, _ plan: DownloadPlan) -> String {
    guard let old else { return "it is not an interrupted download of this; --force replaces it" }
    if old.address == plan.address.shown {
      return "it is an interrupted download by another request; --force replaces it"
    }
    return "it is an interrupted download of \(old.address); --force replaces it"
  }

  /// Identifies this boot of the machine; an unknown one is unique.
  private static func bootIdentifier() -> String {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? UUID().uuidString
  }
}
