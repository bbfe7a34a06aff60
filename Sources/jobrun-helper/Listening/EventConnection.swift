internal import JobClient
internal import JobCore
internal import JobWire
internal import LazyCurl
internal import LinuxSystem

/// One stream of events and its connection, which is restored when it is lost.
@safe
final class EventConnection {
  let address: String
  /// When to reconnect; nil while connected, or once the server has ended the stream.
  private(set) var dueAt: Instant?
  private(set) var isOpen = false
  /// Why the last connection failed.
  private(set) var trouble: String?
  /// Why the response body was rejected.
  private var refusal: String?
  private(set) var garbage = 0
  private(set) var events: [[UInt8]] = []
  private(set) var handle: UnsafeMutableRawPointer?

  private let functions: lazy_curl
  private var reader = EventStreamReader()
  private var lines: UnsafeMutablePointer<curl_slist>?
  private var status = 0
  private var kind = ""
  private var failures = 0

  private static let connectSeconds = 30
  private static let maximumWait: UInt64 = 60
  private static let maximumWaiting = 4096
  /// Bytes a second; a server that sends endlessly is read no faster.
  private static let maximumSpeed: curl_off_t = 256 << 10
  static let kind = "text/event-stream"

  init(_ address: String, _ functions: lazy_curl, at now: Instant) {
    self.address = address
    self.functions = functions
    dueAt = now
  }

  /// Takes the oldest events that have arrived, `limit` at most.
  func takeEvents(_ limit: Int) -> ArraySlice<[UInt8]> {
    defer { events.removeFirst(min(limit, events.count)) }
    return events.prefix(limit)
  }

  /// Connects; false when there is no memory for it.
  func begin() -> Bool {
    guard let handle = functions.easy_init() else { return false }
    unsafe self.handle = handle
    (dueAt, status, kind, refusal) = (nil, 0, "", nil)
    // A partial event of a lost connection is discarded.
    reader = EventStreamReader(after: reader.lastID)
    var fields = ["Accept: \(Self.kind)", "Cache-Control: no-cache"]
    if !reader.lastID.isEmpty { fields.append("Last-Event-ID: \(reader.lastID)") }
    for field in fields { unsafe lines = functions.slist_append(lines, field) }
    set(CURLOPT_URL, address)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, "jobrun")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FAILONERROR, 1)
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, 20)
    set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_CONNECTTIMEOUT, Self.connectSeconds)
    unsafe lazy_curl_set_size(handle, CURLOPT_MAX_RECV_SPEED_LARGE, Self.maximumSpeed)
    unsafe lazy_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe lazy_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    unsafe lazy_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    unsafe lazy_curl_set_taker(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
      unsafe EventConnection.at(context) {
        $0.takeHead(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        return count
      }
    }
    unsafe lazy_curl_set_taker(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
      unsafe EventConnection.at(context) {
        unsafe $0.take(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
      }
    }
    return true
  }

  /// Frees the connection.
  func close() {
    unsafe functions.easy_cleanup(handle)
    unsafe functions.slist_free_all(lines)
    unsafe (handle, lines) = (nil, nil)
  }

  /// The connection has ended.
  func end(_ code: CURLcode, _ words: String, at now: Instant) {
    close()
    if status == 204 {
      trouble = "the server accepts no more listeners (204)"
      isOpen = false
      return
    }
    if isOpen { failures = 0 }
    isOpen = false
    trouble =
      refusal
      ?? (status >= 400
        ? "the server answered \(status)"
        : code == CURLE_OK ? "the server has ended the stream" : words)
    failures += 1
    let wait = Interval.seconds(min(Self.maximumWait, 1 << UInt64(min(failures - 1, 6))))
    // Clients of the same server do not reconnect simultaneously.
    let jitter = Interval.milliseconds(UInt64.random(in: 0..<500))
    dueAt = now + max(wait, reader.pause ?? .zero) + jitter
  }

  private func takeHead(_ line: [UInt8]) {
    let text = String(decoding: line.filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ")
      (status, kind) = (words.count > 1 ? Int(words[1]) ?? 0 : 0, "")
    } else if let colon = text.firstIndex(of: ":"), text[..<colon].lowercased() == "content-type" {
      kind = text[text.index(after: colon)...].drop { $0 == " " }.lowercased()
    }
  }

  /// Returns whether the connection goes on.
  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard status == 200 else { return status / 100 == 3 }
    guard kind.hasPrefix(Self.kind) else {
      garbage += 1
      refusal =
        "the server sends \(kind.isEmpty ? "no content type" : kind.escaped), not \(Self.kind)"
      return false
    }
    (isOpen, trouble) = (true, nil)
    for item in unsafe reader.take(bytes) {
      switch item {
      case .event(let data): events.append(data)
      case .garbage: garbage += 1
      }
    }
    // The oldest events of an endless stream are dropped.
    if events.count > Self.maximumWaiting { events.removeFirst(events.count - Self.maximumWaiting) }
    return true
  }

  private static func at(
    _ context: UnsafeMutableRawPointer?, _ body: (EventConnection) -> Int
  ) -> Int {
    guard let context = unsafe context else { return 0 }
    return body(unsafe Unmanaged<EventConnection>.fromOpaque(context).takeUnretainedValue())
  }

  private func set(_ option: CURLoption, _ text: String) {
    unsafe lazy_curl_set_text(handle, option, text)
  }

  private func set(_ option: CURLoption, _ number: Int) {
    unsafe lazy_curl_set_number(handle, option, number)
  }
}
