import Foundation
import Synchronization
import TestKit

/// A server of tus 1.0 with room for one file.
final class TusServer: Sendable {
  private struct State {
    var content: [UInt8] = []
    var offsets: [Int] = []
    var name: String?
  }

  private let state = Mutex(State())
  private let served = Mutex<FileServer?>(nil)

  /// Takes so many bytes of each request before it cuts the connection; `instead` may answer some of them.
  init(
    taking most: Int = .max,
    instead: @escaping @Sendable (FileServer.Request, Int) -> FileServer.Answer? = { _, _ in nil }
  ) throws {
    let server = try FileServer { _ in
      most
    } _: { [weak self] request, number in
      instead(request, number) ?? self?.answer(request) ?? FileServer.Answer(status: 410)
    }
    server.whenCut { [weak self] in self?.keep($0) }
    served.withLock { $0 = server }
  }

  var address: String { served.withLock { $0?.address("files/") ?? "" } }
  var methods: [String] { served.withLock { $0?.requests.map(\.method) ?? [] } }
  var content: [UInt8] { state.withLock { $0.content } }
  /// Where each piece began.
  var offsets: [Int] { state.withLock { $0.offsets } }
  var name: String? { state.withLock { $0.name } }

  private func keep(_ request: FileServer.Request) {
    guard request.method == "PATCH",
      let offset = request.fields["upload-offset"].flatMap({ Int($0) })
    else { return }
    state.withLock { state in
      guard offset == state.content.count else { return }
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
      state.withLock { $0 = State(name: request.fields["upload-metadata"]) }
    case "HEAD": answer.fields["Upload-Offset"] = "\(content.count)"
    default:
      answer.status = 204
      keep(request)
      answer.fields["Upload-Offset"] = "\(content.count)"
    }
    return answer
  }
}
