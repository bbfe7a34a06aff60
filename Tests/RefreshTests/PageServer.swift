import Foundation
import Glibc
import Synchronization
import TestKit

/// A web server with one page and its entity tag, on a separate port.
final class PageServer: Sendable {
  private struct Published {
    var tag: String
    var content: String
    var answers: [String] = []
  }

  let address: String
  private let socket: Int32
  private let published: Mutex<Published>

  init(tag: String, content: String) throws {
    published = Mutex(Published(tag: tag, content: content))
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = socket
    let code = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe bind(descriptor, pointer, size) == 0, listen(descriptor, 8) == 0 else {
          return Int32(-1)
        }
        return unsafe getsockname(descriptor, pointer, &size)
      }
    }
    guard code == 0 else { throw SystemCallFailure("listen") }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))/"
    serve()
  }

  deinit { shutdown(socket, Int32(SHUT_RDWR)) }

  /// The responses, in order.
  var answers: [String] { published.withLock { $0.answers } }

  func publish(tag: String, content: String) {
    published.withLock {
      $0.tag = tag
      $0.content = content
    }
  }

  /// Answers one after the other, until the server is gone.
  private func serve() {
    let socket = socket
    let answer: @Sendable (String) -> String? = { [weak self] in self?.answer(to: $0) }
    Thread.detachNewThread {
      while true {
        let visitor = accept(socket, nil, nil)
        guard visitor >= 0 else { break }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(visitor, &bytes, bytes.count, 0)
        let request = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        let reply = Array((answer(request) ?? "").utf8)
        _ = unsafe send(visitor, reply, reply.count, Int32(MSG_NOSIGNAL))
        close(visitor)
      }
      close(socket)
    }
  }

  private func answer(to request: String) -> String {
    published.withLock { page in
      let isKnown = request.contains("If-None-Match: \(page.tag)\r\n")
      let status = isKnown ? "304 Not Modified" : "200 OK"
      page.answers.append(status)
      let body = isKnown ? "" : page.content
      return "HTTP/1.1 \(status)\r\nETag: \(page.tag)\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Connection: close\r\n\r\n" + body
    }
  }
}
