internal import Foundation
internal import JobFiles

/// An upload by tus 1.0 (https://tus.io/protocols/resumable-upload): the server says how much it has, and
/// gets the rest.
struct TusUpload {
  private static let version = "Tus-Resumable: 1.0.0"
  /// Locked by another client, perhaps by an attempt of ours that the server considers alive; a wrong
  /// offset; a checksum error.
  private static let setbacks = [409, 423, 460]
  private static let goneStatuses = [404, 410]

  private let uploader: Uploader
  private let notes: UploadNotes

  init(_ uploader: Uploader, _ notes: UploadNotes) {
    (self.uploader, self.notes) = (uploader, notes)
  }

  /// Whether the server at the address supports uploads of this kind.
  static func isOffered(_ uploader: Uploader) throws -> Bool {
    do {
      let head = try uploader.send(.options, to: uploader.address)
      let extensions = head.fields["tus-extension"]?.split(separator: ",") ?? []
      return head.fields["tus-resumable"] != nil && extensions.contains { $0.hasSuffix("creation") }
    } catch is TransferError {
      return false  // it does not support the query
    } catch let setback as Setback where setback.isAnswer {
      return false  // nor does one that fails at it
    }
  }

  func run() throws {
    var location = notes.location
    try uploader.persist {
      guard let known = location, let offset = try offset(of: known) else {
        location = try create()
        return try sendRest(to: location, from: 0)
      }
      if offset > 0 {
        Report.say(
          "continuing at \(Report.bytes(offset)), where it was interrupted")
      }
      try sendRest(to: known, from: offset)
    }
  }

  private func sendRest(to location: WebAddress?, from offset: Int64) throws {
    guard let location, offset < uploader.file.size else { return }
    uploader.show(offset)
    let head = try uploader.send(
      .patch, to: location,
      lines: [
        Self.version, "Upload-Offset: \(offset)", "Content-Type: application/offset+octet-stream",
      ], from: offset,
      // A lost upload is created again.
      passing: Self.setbacks + Self.goneStatuses)
    guard let reached = Self.offset(head), reached > offset else {
      throw uploader.failure("the server does not say how much it has taken")
    }
    uploader.arrived = reached
    guard reached == uploader.file.size else {
      throw Setback(reason: "the server took a part of it")
    }
  }

  /// How much the server has; nil when it no longer knows the upload.
  private func offset(of location: WebAddress) throws -> Int64? {
    let head = try uploader.send(
      .head, to: location, lines: [Self.version], passing: Self.setbacks, isTaken: Self.isGone)
    if Self.isGone(head) { return nil }
    guard let offset = Self.offset(head), offset >= 0 else {
      throw uploader.failure("the server does not say how much of the file it has")
    }
    guard offset <= uploader.file.size else { return nil }
    uploader.arrived = offset
    return offset
  }

  /// The server itself may use 403 for that as well (tus 1.0, HEAD); a proxy in front of it does not speak
  /// tus.
  private static func isGone(_ head: ResponseHead) -> Bool {
    goneStatuses.contains(head.status)
      || head.status == 403 && head.fields["tus-resumable"] != nil
  }

  private func create() throws -> WebAddress {
    let name = Data(uploader.file.path.name.bytes).base64EncodedString()
    let head = try uploader.send(
      .post, to: uploader.address,
      lines: [
        Self.version, "Upload-Length: \(uploader.file.size)", "Upload-Metadata: filename \(name)",
      ])
    guard head.status == 201, let text = head.fields["location"],
      let location = try uploader.resolving(text)
    else { throw uploader.failure("the server does not say where it wants the file") }
    try notes.keep(location)
    return location
  }

  private static func offset(_ head: ResponseHead) -> Int64? {
    head.fields["upload-offset"].flatMap { Int64($0) }
  }
}
