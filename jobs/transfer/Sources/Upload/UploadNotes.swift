internal import Foundation
internal import JobFiles

/// The address of the upload resource on the server, for the job's next attempt.
struct UploadNotes {
  private struct Created: Codable {
    var address: String
    var location: String
    var file: SentFile.Stamp
  }

  private static let maximumBytes = 1 << 16

  private let uploader: Uploader
  /// Nil keeps nothing.
  private let path: BytePath?

  init(_ uploader: Uploader, _ path: BytePath?) {
    self.uploader = uploader
    self.path = path
  }

  /// From an earlier attempt with the same file and address.
  var location: WebAddress? {
    guard let path, let bytes = SmallFile.read(path, most: Self.maximumBytes),
      let created = try? JSONDecoder().decode(Created.self, from: Data(bytes)),
      created.address == uploader.address.shown, created.file == uploader.file.stamp
    else { return nil }
    return try? WebAddress(created.location)
  }

  func keep(_ location: WebAddress) throws {
    guard let path else { return }
    // Without name and password, which the address on the command line has.
    let created = Created(
      address: uploader.address.shown, location: location.text, file: uploader.file.stamp)
    guard SmallFile.replace(path, with: Array(try JSONEncoder().encode(created))) else {
      throw TransferError.target(path, "it cannot be written")
    }
  }

  func remove() {
    if let path { SmallFile.remove(path) }
  }
}
