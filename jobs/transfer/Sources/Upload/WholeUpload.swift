internal import Foundation
internal import JobFiles

/// An upload in one request, resumed at the address that the server gives for it
/// (draft-ietf-httpbis-resumable-upload, "Resumable Uploads for HTTP").
struct WholeUpload {
  private static let version = "Upload-Draft-Interop-Version: 8"
  private static let isWhole = "Upload-Complete: ?1"

  private let uploader: Uploader
  private let method: Request.Method
  private let notes: UploadNotes
  private let sent: SentNote

  init(_ uploader: Uploader, _ method: Request.Method, _ notes: UploadNotes, _ sent: SentNote) {
    (self.uploader, self.method, self.notes, self.sent) = (uploader, method, notes, sent)
  }

  func run() throws {
    var location = notes.location
    try uploader.persist {
      if let known = location {
        if let offset = try offset(of: known) { return try sendRest(to: known, from: offset) }
        location = nil
        notes.remove()
        guard method == .put else {
          throw uploader.failure(
            "the server no longer has the earlier part, and \(method.rawValue) is not repeated")
        }
      }
      try sendWhole { address in
        location = address
        try notes.keep(address)
      }
    }
  }

  private func sendWhole(whenKept: (WebAddress) throws -> Void) throws {
    let mayRepeat = method == .put
    if !mayRepeat {
      guard !sent.isThere else {
        throw uploader.failure(
          "an earlier attempt has sent some or all of it by \(method.rawValue), and the server may have"
            + " it; jobrun redo does not send it again: if it is missing there, submit the upload as a"
            + " new job")
      }
      try sent.write()
    }
    do {
      _ = try uploader.send(
        method, to: uploader.address, lines: [Self.version, Self.isWhole], from: 0,
        mayRepeat: mayRepeat, taking: .any, whenKept: whenKept)
    } catch {
      if !mayRepeat, !uploader.mayHaveArrived { sent.remove() }
      throw error
    }
  }

  private func sendRest(to location: WebAddress, from offset: Int64) throws {
    guard offset < uploader.file.size else { return }
    if offset > 0 { Report.say("continuing at \(Report.bytes(offset)), where it was interrupted") }
    uploader.show(offset)
    let head = try uploader.send(
      .patch, to: location,
      lines: [
        Self.version, Self.isWhole, "Upload-Offset: \(offset)",
        "Content-Type: application/partial-upload",
      ], from: offset,
      // A lost upload is queried again, as is one with another offset than expected.
      passing: [404, 409, 410, 423], taking: .lasting)
    guard head.fields["upload-complete"] != "?0" else {
      uploader.arrived = Self.offset(head) ?? offset
      throw Setback(reason: "the server took a part of it")
    }
  }

  /// How much the server has, the whole size when it is complete; nil when it no longer knows the upload.
  private func offset(of location: WebAddress) throws -> Int64? {
    let head = try uploader.send(
      .head, to: location, lines: [Self.version], passing: [409, 423], isTaken: Self.isGone)
    if Self.isGone(head) { return nil }
    if head.fields["upload-complete"] == "?1" { return uploader.file.size }
    guard let offset = Self.offset(head), offset >= 0 else {
      throw uploader.failure("the server does not say how much of the file it has")
    }
    guard offset <= uploader.file.size else { return nil }
    uploader.arrived = offset
    return offset
  }

  private static func isGone(_ head: ResponseHead) -> Bool { [404, 410].contains(head.status) }

  private static func offset(_ head: ResponseHead) -> Int64? {
    head.fields["upload-offset"].flatMap { Int64($0) }
  }
}
