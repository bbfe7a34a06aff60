import Foundation
import Synchronization
import TestKit

/// A server of the IETF's resumable uploads, with room for one file.
final class ResumableServer: Sendable {
  private struct State {
    var content: [UInt8] = []
    var offsets: [Int] = []
  }

  private let state = Mutex(State())
  private let served = Mutex<FileServer?>(nil)

  private let forgets: Bool
  private let trouble: @Sendable (FileServer.Request) -> FileServer.Answer?

  /// Accepts this many bytes of each request before it cuts the connection; a forgetful server does so once,
  /// and loses the upload.
  ///
  /// `trouble` may replace a response; `beforeCut` is called when what has come is kept, and holds up the cut.
  init(
    taking most: Int = .max, forgets: Bool = false,
    trouble: @escaping @Sendable (FileServer.Request) -> FileServer.Answer? = { _ in nil },
    beforeCut: @escaping @Sendable (FileServer.Request) -> Void = { _ in }
  ) throws {
    self.forgets = forgets
    self.trouble = trouble
    let bodies = Counter()
    let taken: @Sendable (FileServer.Request) -> Int = {
      if $0.method == "HEAD" || $0.method == "OPTIONS" { return .max }
      return forgets && bodies.next() > 1 ? .max : most
    }
    let early: @Sendable (FileServer.Request) -> String? = {
      guard $0.method == "PUT" || $0.method == "POST" else { return nil }
      return "HTTP/1.1 104 Upload Resumption Supported\r\nLocation: kept/1\r\n\r\n"
    }
    let server = try FileServer(taking: taken, early: early) { [weak self] request, _ in
      self?.answer(request) ?? FileServer.Answer(status: 410)
    }
    server.whenCut { [weak self] in
      self?.keep($0)
      beforeCut($0)
    }
    served.withLock { $0 = server }
  }

  var address: String { served.withLock { $0?.address("files/trip.tar") ?? "" } }
  var requests: [FileServer.Request] { served.withLock { $0?.requests ?? [] } }
  var content: [UInt8] { state.withLock { $0.content } }
  /// Where each piece began.
  var offsets: [Int] { state.withLock { $0.offsets } }

  private func keep(_ request: FileServer.Request) {
    let offset = request.fields["upload-offset"].flatMap { Int($0) } ?? 0
    state.withLock { state in
      if request.method != "PATCH" { state.content = [] }
      guard offset == state.content.count else { return }
      state.offsets.append(offset)
      state.content += request.body
    }
  }

  private func answer(_ request: FileServer.Request) -> FileServer.Answer {
    if let answer = trouble(request) { return answer }
    var answer = FileServer.Answer(status: 201, fields: ["Content-Length": "0"])
    switch request.method {
    case "OPTIONS": answer.status = 405
    case "HEAD":
      if forgets { return FileServer.Answer(status: 404) }
      answer.status = 204
      answer.fields["Upload-Offset"] = "\(content.count)"
      answer.fields["Upload-Complete"] = "?0"
    default: keep(request)
    }
    return answer
  }
}
