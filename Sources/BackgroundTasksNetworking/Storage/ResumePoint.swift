internal import Foundation
internal import LinuxSystem

/// The resume data of a download; opaque to the program.
struct ResumePoint: Codable {
  var request: StoredRequest
  /// The folder with the partial file and its notes.
  var folder: String

  private init(_ request: StoredRequest, in folder: String) {
    self.request = request
    self.folder = folder
  }

  /// Moves the partial file out of a transfer's folder; nil when nothing has arrived.
  static func taken(
    from transfer: TransferFolder, of record: TransferRecord, into session: String, name: String
  ) -> Data? {
    guard record.kind == .download, record.request.isShareable, File.exists(transfer.notes),
      size(transfer.part) > 0
    else {
      return nil
    }
    let folder = "\(session)/resume-\(name)"
    do throws(SystemError) {
      try File.makeDirectory(folder)
      try File.rename(transfer.part, to: "\(folder)/part")
      try File.rename(transfer.notes, to: "\(folder)/notes")
    } catch {
      return nil
    }
    return ResumePoint(record.request, in: folder).data
  }

  /// What the program keeps.
  var data: Data? { try? JSONEncoder().encode(self) }

  /// Reads the data that `taken` returned; nil when it belongs to another session, or was used already.
  init?(_ data: Data, session: String) {
    guard let read = try? JSONDecoder().decode(ResumePoint.self, from: data),
      File.parent(of: read.folder) == session, File.exists("\(read.folder)/part")
    else { return nil }
    self = read
  }

  /// Moves it into the folder of another transfer; returns its size in bytes.
  func give(to transfer: TransferFolder) -> Int64 {
    let size = Self.size("\(folder)/part")
    do throws(SystemError) {
      try File.makeDirectories(transfer.path)
      try File.rename("\(folder)/part", to: transfer.part)
      try File.rename("\(folder)/notes", to: transfer.notes)
      try File.removeTree(folder)
      return size
    } catch {
      return 0
    }
  }

  static func size(_ path: String) -> Int64 {
    ((try? File.open(path).size()).map { Int64(clamping: $0) }) ?? 0
  }
}
