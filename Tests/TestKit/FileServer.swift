import Foundation
import Glibc
import Synchronization

/// An HTTP/1.1 server whose responses the test determines, with a thread for each request.
package final class FileServer: Sendable {
  package struct Request: Sendable {
    package var method: String
    package var path: String
    /// Names in lower case.
    package var fields: [String: String]

    /// The request body, as far as the server has read it.
    package var body: [UInt8] = []

    /// The first byte of the requested range; nil without a range.
    package var start: Int? {
      fields["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    }
  }

  package struct Answer: Sendable {
    package var status: Int
    package var fields: [String: String]
    package var body: [UInt8]
    /// The bytes of the body that are sent before the connection is cut.
    package var sent: Int?
    /// Keeps the connection open and silent instead of cutting it, until the server stops.
    package var isHeld: Bool
    /// Sends the rest once this has returned, instead of cutting the connection.
    package var pause: (@Sendable () -> Void)?

    package init(
      status: Int = 200, fields: [String: String] = [:], body: [UInt8] = [], sent: Int? = nil,
      isHeld: Bool = false
    ) {
      self.status = status
      self.fields = fields
      self.body = body
      self.sent = sent
      self.isHeld = isHeld
    }
  }

  package let port: UInt16
  private let host: String
  private let socket: Int32
  private let answer: @Sendable (Request, Int) -> Answer
  private let taken: @Sendable (Request) -> Int
  private let early: @Sendable (Request) -> String?
  private let cut = Mutex<(@Sendable (Request) -> Void)?>(nil)
  private let seen = Mutex<[Request]>([])
  private let arrival = DispatchSemaphore(value: 0)
  private let open = Mutex<Set<Int32>>([])
  private let sent = Mutex(0)
  private let isStopped = Mutex(false)

  /// Answers request number N, from 0 on, with the result of `answer`.
  ///
  /// It reads `taken` bytes of a request body, and cuts the connection when there are more. The result of
  /// `early` is sent before. `host` is a numeric address of this machine; `port` 0 means any free port.
  package init(
    host: String = "127.0.0.1", port: UInt16 = 0,
    taking taken: @escaping @Sendable (Request) -> Int = { _ in .max },
    early: @escaping @Sendable (Request) -> String? = { _ in nil },
    _ answer: @escaping @Sendable (_ request: Request, _ number: Int) -> Answer
  ) throws {
    self.answer = answer
    self.taken = taken
    self.early = early
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.socket = socket
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = unsafe inet_addr(host)
    var isReused: Int32 = 1
    _ = unsafe setsockopt(
      socket, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard unsafe bind(socket, pointer, size) == 0, listen(socket, 64) == 0 else {
          return Int32(-1)
        }
        return unsafe getsockname(socket, pointer, &size)
      }
    }
    guard code == 0 else { throw SystemCallFailure("listen") }
    (self.host, self.port) = (host, UInt16(bigEndian: name.sin_port))
    acceptAll()
  }

  deinit { stop() }

  /// Accepts no more connections, and cuts the existing ones.
  package func stop() {
    // Once: the descriptor number may be another server's by now.
    guard
      isStopped.withLock({ wasStopped in
        defer { wasStopped = true }
        return !wasStopped
      })
    else { return }
    shutdown(socket, Int32(SHUT_RDWR))
    open.withLock { visitors in
      for visitor in visitors { shutdown(visitor, Int32(SHUT_RDWR)) }
    }
  }

  /// The server's address of `path`.
  package func address(_ path: String = "file.bin") -> String { "http://\(host):\(port)/\(path)" }

  /// Called for each request that was not read completely.
  package func whenCut(_ tell: @escaping @Sendable (Request) -> Void) { cut.withLock { $0 = tell } }

  /// Bytes of bodies that were handed to the kernel; not all of them have arrived.
  package var bytesSent: Int { sent.withLock { $0 } }

  /// The requests in order.
  package var requests: [Request] { seen.withLock { $0 } }

  /// Waits for one more request.
  package func awaitRequest() throws {
    let limit = DispatchTime.now() + Double(Deadline.timeout.components.seconds)
    guard arrival.wait(timeout: limit) == .success else {
      throw Overdue(
        awaited: "one more request", limit: Deadline.timeout, seen: "\(requests.count) of them")
    }
  }

  private func acceptAll() {
    let socket = socket
    Thread.detachNewThread { [weak self] in
      while true {
        let visitor = accept(socket, nil, nil)
        guard visitor >= 0 else { break }
        // Else a process that another test starts meanwhile would keep open what is closed here.
        _ = fcntl(visitor, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { [weak self] in
          if let reply = self?.reply(to: visitor) {
            let count = Self.send(reply, to: visitor)
            self?.sent.withLock { $0 += count }
          }
          self?.forget(visitor)
          close(visitor)
        }
      }
      close(socket)
    }
  }

  private func forget(_ visitor: Int32) { _ = open.withLock { $0.remove(visitor) } }

  private func reply(to visitor: Int32) -> Answer? {
    _ = open.withLock { $0.insert(visitor) }
    guard var (request, body) = Self.read(visitor) else { return nil }
    let wanted = request.fields["content-length"].flatMap { Int($0) } ?? 0
    let limit = min(wanted, taken(request))
    if let words = early(request) { Self.send(Array(words.utf8)[...], to: visitor) }
    if request.fields["expect"] != nil {
      Self.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...], to: visitor)
    }
    while body.count < limit, let more = Self.receive(visitor) { body += more }
    request.body = Array(body.prefix(limit))
    let number = seen.withLock { seen in
      seen.append(request)
      return seen.count - 1
    }
    arrival.signal()
    guard limit < wanted else { return answer(request, number) }
    cut.withLock { $0 }?(request)
    return nil
  }

  private static func receive(_ visitor: Int32) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe recv(visitor, &bytes, bytes.count, 0)
    return count > 0 ? bytes.prefix(count) : nil
  }

  /// The request's head, and the part of the body that came with it.
  private static func read(_ visitor: Int32) -> (Request, body: [UInt8])? {
    var bytes: [UInt8] = []
    var end: Range<Int>?
    while end == nil {
      guard let more = receive(visitor) else { return nil }
      bytes += more
      // A TLS greeting, which is returned as it is.
      if bytes.first == 0x16 {
        let text = String(decoding: bytes, as: UTF8.self)
        return (Request(method: "TLS", path: text, fields: [:]), [])
      }
      end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
    }
    guard let end else { return nil }
    let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let lines = text.components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let request = Request(method: String(words[0]), path: String(words[1]), fields: fields)
    return (request, Array(bytes[end.upperBound...]))
  }

  /// Returns how many bytes of the body were sent.
  private static func send(_ answer: Answer, to visitor: Int32) -> Int {
    var head = "HTTP/1.1 \(answer.status) Status\r\nConnection: close\r\n"
    for (name, value) in answer.fields { head += "\(name): \(value)\r\n" }
    send(Array((head + "\r\n").utf8)[...], to: visitor)
    let first = answer.sent ?? answer.body.count
    let sent = send(answer.body.prefix(first), to: visitor)
    if let pause = answer.pause {
      pause()
      return sent + send(answer.body.dropFirst(first), to: visitor)
    }
    // The client only closes from here on, or this server does.
    var byte: UInt8 = 0
    if answer.isHeld { _ = unsafe recv(visitor, &byte, 1, 0) }
    return sent
  }

  @discardableResult
  private static func send(_ bytes: ArraySlice<UInt8>, to visitor: Int32) -> Int {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(visitor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return bytes.count - rest.count
  }
}

extension FileServer.Answer {
  /// The response of a correct server for `content` under the entity tag `tag`.
  package static func file(
    _ content: [UInt8], tag: String = "\"one\"", to request: FileServer.Request
  ) -> FileServer.Answer {
    var answer = FileServer.Answer()
    answer.fields = ["ETag": tag, "Accept-Ranges": "bytes"]
    let isSame = request.fields["if-range"].map { $0 == tag } ?? true
    var part = content[...]
    if isSame, let range = request.fields["range"]?.dropFirst("bytes=".count) {
      let bounds = range.split(separator: "-", omittingEmptySubsequences: false)
      let start = Int(bounds[0]) ?? 0
      let last = Int(bounds[1]) ?? content.count - 1
      part = content[start...last]
      answer.status = 206
      answer.fields["Content-Range"] = "bytes \(start)-\(last)/\(content.count)"
    }
    answer.body = Array(part)
    answer.fields["Content-Length"] = "\(part.count)"
    return answer
  }
}
