internal import Foundation
internal import JobFiles

/// An upload in one request, resumed at the address that the server gives for it
/// (draft-ietf-httpbis-resumable-upload, "Resumable Uploads for HTTP").
struct WholeUpload {
  private static let version = "Upload-Draft-Interop-Version: 8"
  private static let isWhole = "Upload-Complete: ?1"

  private let courier: Uploader
  private let method: Request.Method
  private let notes: UploadNotes

  init(_ courier: Uploader, _ method: Request.Method, _ notes: UploadNotes) {
    (self.courier, self.method, self.notes) = (courier, method, notes)
  }

  func run() throws {
    var location = notes.location
    try courier.persist {
      if let known = location {
        if let offset = try offset(of: known) { return try sendRest(to: known, from: offset) }
        location = nil
        guard method == .put else {
          throw courier.failure(
            "the server no longer has the earlier part, and \(method.rawValue) is not repeated")
        }
      }
      _ = try courier.send(
        method, to: courier.address, lines: [Self.version, Self.isWhole], from: 0,
        mayRepeat: method == .put, taking: .any,
        whenKept: { address in
          location = address
          try notes.keep(address)
        })
    }
  }

  private func sendRest(to location: WebAddress, from offset: Int64) throws {
    guard offset < courier.file.size else { return }
    if offset > 0 { Report.say("continuing at \(Report.bytes(offset)), where it was interrupted") }
    courier.show(offset)
    let head = try courier.send(
      .patch, to: location,
      lines: [
        Self.version, Self.isWhole, "Upload-Offset: \(offset)",
        "Content-Type: application/partial-upload",
      ], from: offset,
      // A lost upload is queried again, as is one with another offset than expected.
      passing: [404, 409, 410, 423], taking: .lasting)
    guard head.fields["upload-complete"] != "?0" else {
      courier.arrived = Self.offset(head) ?? offset
      throw Setback(reason: "the server took a part of it")
    }
  }

  /// How much the server has, the whole size when it is complete; nil when it no longer knows the upload.
  private func offset(of location: WebAddress) throws -> Int64? {
    let head = try courier.send(
      .head, to: location, lines: [Self.version], passing: [409, 423], isTaken: Self.isGone)
    if Self.isGone(head) { return nil }
    if head.fields["upload-complete"] == "?1" { return courier.file.size }
    guard let offset = Self.offset(head), offset >= 0 else {
      throw courier.failure("the server does not say how much of the file it has")
    }
    guard offset <= courier.file.size else { return nil }
    courier.arrived = offset
    return offset
  }

  private static func isGone(_ head: ResponseHead) -> Bool { [404, 410].contains(head.status) }

  private static func offset(_ head: ResponseHead) -> Int64? {
    head.fields["upload-offset"].flatMap { Int64($0) }
  }
}
