internal import Foundation
internal import Glibc
internal import JobFiles

/// The server's response, recorded for the program that requested the transfer (`--answer`).
struct AnswerFile: Hashable {
  /// As JSON; fields are never removed.
  private struct Content: Codable {
    var address: String
    var status: Int?
    /// Names in lower case.
    var fields: [String: String]?
    /// The error instead of a response (`man 3 libcurl-errors`).
    var error: UInt32?
  }

  let path: BytePath

  var isThere: Bool { FileStatus(path, follow: false) != nil }

  /// A file that cannot be written does not fail the transfer, whose end is reported anyway.
  func note(_ head: ResponseHead, at address: String) {
    note(Content(address: address, status: head.status, fields: head.fields))
  }

  func note(error: UInt32, at address: String) {
    note(Content(address: address, error: error))
  }

  private func note(_ content: Content) {
    guard let bytes = try? JSONEncoder().encode(content) else { return }
    _ = SmallFile.replace(path, with: Array(bytes))
  }
}

/// The body of a response, written to a file (`--answer-body`).
final class AnswerBody {
  private let descriptor: Int32

  /// Empties the file at `path`.
  init(_ path: BytePath) throws(TransferError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    descriptor = unsafe path.withCString { unsafe open($0, flags, 0o600) }
    guard descriptor >= 0 else { throw .target(path, Report.reason(errno)) }
  }

  deinit { close(descriptor) }

  /// Whether all of it could be written.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let written = unsafe write(descriptor, rest.baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    return true
  }
}
