import Foundation
import Synchronization
import TestKit

/// A server of tus 1.0 with room for one file.
final class TusServer: Sendable {
  private struct State {
    var content: [UInt8] = []
    var offsets: [Int] = []
    var name: String?
    /// Bytes that came twice, or were not where they belonged.
    var lost = 0
  }

  private let state = Mutex(State())
  private let served = Mutex<FileServer?>(nil)
  private let most: Int
  private let instead: @Sendable (FileServer.Request, Int) -> FileServer.Answer?
  private let beforeCut: @Sendable () -> Void

  /// Accepts this many bytes of each request before it cuts the connection; `instead` may answer some of them,
  /// and `beforeCut` is called when what has come is kept, and holds up the cut.
  init(
    taking most: Int = .max,
    instead: @escaping @Sendable (FileServer.Request, Int) -> FileServer.Answer? = { _, _ in nil },
    beforeCut: @escaping @Sendable () -> Void = {}
  ) throws {
    (self.most, self.instead, self.beforeCut) = (most, instead, beforeCut)
    try serve()
  }

  private func serve(port: UInt16 = 0) throws {
    let server = try FileServer(port: port) { [most] _ in
      most
    } _: { [weak self, instead] request, number in
      instead(request, number) ?? self?.answer(request) ?? FileServer.Answer(status: 410)
    }
    server.whenCut { [weak self, beforeCut] in
      self?.keep($0)
      beforeCut()
    }
    served.withLock { $0 = server }
  }

  /// As after a restart of its machine: received data is kept.
  func restart() throws {
    guard let old = served.withLock({ $0 }) else { return }
    old.stop()
    try serve(port: old.port)
  }

  var address: String { served.withLock { $0?.address("files/") ?? "" } }
  var methods: [String] { served.withLock { $0?.requests.map(\.method) ?? [] } }
  var content: [UInt8] { state.withLock { $0.content } }
  /// Where each piece began.
  var offsets: [Int] { state.withLock { $0.offsets } }
  /// The number of useless bytes.
  var lost: Int { state.withLock { $0.lost } }
  var name: String? { state.withLock { $0.name } }

  private func keep(_ request: FileServer.Request) {
    guard request.method == "PATCH",
      let offset = request.fields["upload-offset"].flatMap({ Int($0) })
    else { return }
    state.withLock { state in
      guard offset == state.content.count else {
        state.lost += request.body.count
        return
      }
      state.offsets.append(offset)
      state.content += request.body
    }
  }

  private func answer(_ request: FileServer.Request) -> FileServer.Answer {
    var answer = FileServer.Answer()
    answer.fields = ["Tus-Resumable": "1.0.0", "Content-Length": "0"]
    switch request.method {
    case "OPTIONS":
      answer.status = 204
      answer.fields["Tus-Extension"] = "creation,expiration"
    case "POST":
      answer.status = 201
      answer.fields["Location"] = "one"
      state.withLock {
        $0 = State(name: request.fields["upload-metadata"], lost: $0.lost + $0.content.count)
      }
    case "HEAD": answer.fields["Upload-Offset"] = "\(content.count)"
    default:
      answer.status = 204
      keep(request)
      answer.fields["Upload-Offset"] = "\(content.count)"
    }
    return answer
  }
}
