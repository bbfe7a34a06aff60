internal import BackgroundTasks
internal import Glibc
internal import JobFiles
internal import LazyCurl

/// One running request, and what has arrived for it.
@safe
final class Connection {
  /// The piece of the file that it fetches.
  let piece: Int
  let isForRange: Bool
  /// The requested address.
  let address: String
  private(set) var head = ResponseHead()
  /// Whether head and piece were found to match.
  var isAccepted = false
  /// Why the body was not read to its end.
  var refusal: Refusal?
  /// Bytes received.
  private(set) var received: Int64 = 0
  /// Bytes of the body that were handed over to be sent.
  private(set) var sent: Int64 = 0
  /// Whether more data follows the body than its length says; the library reads no more than that.
  private(set) var isTooLong = false
  /// Whether the body's file has become shorter, or cannot be read.
  private(set) var failedToRead = false

  let handle: UnsafeMutableRawPointer
  private let library: CurlLibrary
  private let body: Request.Body?
  private let takesBody: (Connection, UnsafeRawBufferPointer) -> Bool
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let complaint: UnsafeMutablePointer<CChar>

  private var timeout = ConnectionTimeout(at: .now)
  /// Bytes of heads received.
  private var headBytes: Int64 = 0
  /// Duplicates of the sockets that the library has opened, which it may close at the end of the body.
  private var sockets: [Int32] = []
  /// Why we aborted the transfer.
  private var abortReason: String?
  /// Bytes a second; nil = unlimited.
  private(set) var speed: Int64?
  /// Bytes per block.
  private let blockBytes: Int64

  private static let connectSeconds = 30
  private static let maximumBlockBytes: Int64 = 512 << 10
  private static let minimumBlockBytes: Int64 = 1 << 10
  private static let minimumSentBytes: Int64 = 16 << 10
  /// The library checks the rate only after this many blocks, as long as there is data.
  private static let blocksAtOnce: Int64 = 100
  static let maximumRedirects = 20
  static let endlessSentence = "it redirects without end"
  static let otherSchemeSentence = "it redirects to an address that is neither http nor https"
  /// `CURLE_TOO_LARGE`, from 8.6.0 on.
  private static let tooLarge = CURLcode(rawValue: 100)
  private static let maximumHeadBytes: Int64 = 256_000
  /// How long to wait for a server to close the connection, or to send more.
  private static let closingMilliseconds: Int32 = 100
  /// The start of the library's note about excess data that it has read.
  private static let excess = Array("Excess found".utf8)

  /// Prepares `request`; `takesBody` gets each block of the body, and aborts by returning false.
  init?(
    _ request: Request, piece: Int, library: CurlLibrary,
    takesBody: @escaping (Connection, UnsafeRawBufferPointer) -> Bool
  ) {
    guard let handle = library.functions.easy_init() else { return nil }
    unsafe self.handle = handle
    self.piece = piece
    isForRange = request.range != nil
    address = request.address
    blockBytes =
      request.speed.map { min(max($0 / 1000, Self.minimumBlockBytes), Self.maximumBlockBytes) }
      ?? Self.maximumBlockBytes
    self.library = library
    body = request.body
    unsafe self.takesBody = unsafe takesBody
    unsafe complaint = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe complaint.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    for line in request.lines {
      unsafe lines = library.functions.slist_append(lines, line)
    }
    prepare(request)
    prepareCallbacks()
    guard request.method == .get else { return }
    hearExcess()
    holdSockets()
  }

  deinit {
    unsafe library.functions.easy_cleanup(handle)
    unsafe library.functions.slist_free_all(lines)
    unsafe complaint.deallocate()
    for socket in sockets { close(socket) }
  }

  /// The error: our sentence, the library's, or its words for the code.
  func reason(_ code: CURLcode) -> String {
    if let abortReason { return abortReason }
    if RetryRule.isAway(code, from: address) { return ConnectionTimeout.awaySentence }
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL:
      return head.isRedirect ? Self.otherSchemeSentence : "the server does not speak HTTP"
    case CURLE_TOO_MANY_REDIRECTS: return Self.endlessSentence
    // Versions of the library differ in the code for a header line that is too long.
    case CURLE_OUT_OF_MEMORY, Self.tooLarge:
      if head.status > 0, received == 0 {
        return "a header line of the server is longer than 100 kB"
      }
    default: break
    }
    let text = unsafe String(cString: complaint)
    return text.isEmpty ? library.words(code) : text
  }

  /// The answering server: another address than the requested one, where the library was redirected.
  var effectiveAddress: String {
    guard let text = unsafe lazy_curl_address(handle) else { return address }
    return (try? WebAddress(unsafe String(cString: text)))?.text ?? address
  }

  /// Whether it has been silent for too long.
  func isExhausted(at now: SuspendingClock.Instant) -> Bool {
    let isAnswered = head.status >= 200 && !head.isRedirect
    let due: ConnectionTimeout.Due =
      isAnswered
      ? .receiving : sent > 0 && sent < body?.count ?? 0 ? .sending : .answer
    let most = blockBytes * Self.blocksAtOnce
    let pause = speed.map { Duration.seconds(2 * most / max(1, $0)) } ?? .zero
    abortReason = timeout.look(received + sent + headBytes, due: due, pause: pause, at: now) {
      RetryRule.isAway(CURLE_COULDNT_CONNECT, from: address)
    }
    return abortReason != nil
  }

  /// Sets a new rate limit in bytes a second.
  func limit(to speed: Int64) {
    self.speed = speed
    unsafe lazy_curl_set_size(handle, CURLOPT_MAX_RECV_SPEED_LARGE, curl_off_t(speed))
    unsafe lazy_curl_set_size(handle, CURLOPT_MAX_SEND_SPEED_LARGE, curl_off_t(speed))
  }

  private func prepare(_ request: Request) {
    set(CURLOPT_URL, request.address)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, "jobrun")
    // Cookies live as long as the request: some servers redirect until they see their own.
    set(CURLOPT_COOKIEFILE, "")
    if let login = request.login {
      set(CURLOPT_USERNAME, login.name)
      set(CURLOPT_PASSWORD, login.password)
    }
    if let range = request.rangeText { set(CURLOPT_RANGE, range) }
    if let authorities = request.authorities {
      unsafe authorities.withCString { unsafe _ = lazy_curl_set_text(handle, CURLOPT_CAINFO, $0) }
    }
    prepare(request.method)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FAILONERROR, request.takesAnyStatus ? 0 : 1)
    set(CURLOPT_FOLLOWLOCATION, request.follows ? 1 : 0)
    set(CURLOPT_MAXREDIRS, Self.maximumRedirects)
    set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_CONNECTTIMEOUT, Self.connectSeconds)
    set(CURLOPT_BUFFERSIZE, Int(blockBytes))
    if let speed = request.speed {
      set(CURLOPT_UPLOAD_BUFFERSIZE, Int(max(blockBytes, Self.minimumSentBytes)))
      limit(to: speed)
    }
    // No compression is asked for, but what comes compressed anyway is undone.
    if request.unpacks { set(CURLOPT_ACCEPT_ENCODING, "identity") }
    if request.isAlone { set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
    unsafe lazy_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
  }

  private func prepare(_ method: Request.Method) {
    switch method {
    case .get: return
    case .head: set(CURLOPT_NOBODY, 1)
    case .options:
      set(CURLOPT_NOBODY, 1)
      set(CURLOPT_CUSTOMREQUEST, method.rawValue)
    case .put, .post, .patch:
      set(CURLOPT_UPLOAD, 1)
      set(CURLOPT_CUSTOMREQUEST, method.rawValue)
      unsafe lazy_curl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(body?.count ?? 0))
    }
  }

  private func prepareCallbacks() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe lazy_curl_set_pointer(handle, CURLOPT_PRIVATE, context)
    unsafe lazy_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, complaint)
    unsafe lazy_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    unsafe lazy_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    unsafe lazy_curl_set_taker(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
      unsafe Connection.at(context) { connection in
        unsafe connection.head.take(UnsafeRawBufferPointer(start: bytes, count: count))
        return connection.acceptsHead(count) ? count : 0
      }
    }
    unsafe lazy_curl_set_taker(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
      unsafe Connection.at(context) { connection in
        connection.received += Int64(count)
        let block = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
        return unsafe connection.takesBody(connection, block) ? count : 0
      }
    }
    unsafe lazy_curl_set_pointer(handle, CURLOPT_READDATA, context)
    unsafe lazy_curl_set_pointer(handle, CURLOPT_SEEKDATA, context)
    unsafe lazy_curl_set_taker(handle, CURLOPT_READFUNCTION) { bytes, _, count, context in
      unsafe Connection.at(context) { unsafe $0.give(bytes, count) }
    }
    unsafe lazy_curl_set_seeker(handle, CURLOPT_SEEKFUNCTION) { context, offset, origin in
      let result = unsafe Connection.at(context) { $0.rewind(Int64(offset), origin) }
      return Int32(result)
    }
  }

  /// Whether this many more bytes of heads are acceptable: a retry would get as many.
  private func acceptsHead(_ count: Int) -> Bool {
    headBytes += Int64(count)
    guard headBytes > Self.maximumHeadBytes else { return true }
    abortReason =
      "the server says more than \(Report.bytes(Self.maximumHeadBytes)) before the content"
    return false
  }

  /// Checks whether more data follows the body than the library has read; encrypted data cannot be told
  /// from messages of TLS, nor can its sender after a redirect.
  func lookBehindBody() {
    let effective = effectiveAddress
    guard effective.hasPrefix("http:") else { return }
    let socket = unsafe lazy_curl_socket(handle)
    if socket >= 0 { return lookBehindBody(socket) }
    guard effective == address else { return }
    for socket in sockets {
      var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&wait, 1, Self.closingMilliseconds)
      lookBehindBody(socket)
    }
  }

  private func lookBehindBody(_ socket: Int32) {
    var byte: UInt8 = 0
    let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    if unsafe recv(socket, &byte, 1, flags) > 0 { isTooLong = true }
  }

  private func holdSockets() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe lazy_curl_set_pointer(handle, CURLOPT_SOCKOPTDATA, context)
    unsafe lazy_curl_set_witness(handle) { context, socket, _ in
      let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
      return Int32(
        unsafe Connection.at(context) { connection in
          if copy >= 0 { connection.sockets.append(copy) }
          return 0
        })
    }
  }

  private func hearExcess() {
    set(CURLOPT_VERBOSE, 1)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe lazy_curl_set_pointer(handle, CURLOPT_DEBUGDATA, context)
    unsafe lazy_curl_set_listener(handle) { _, kind, bytes, count, context in
      guard kind == CURLINFO_TEXT else { return 0 }
      let note = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
      let isExcess = unsafe note.starts(with: Connection.excess)
      return Int32(
        unsafe Connection.at(context) { connection in
          if isExcess { connection.isTooLong = true }
          return 0
        })
    }
  }

  /// Provides the next bytes of the body; returns how many, or that the file cannot be read.
  private func give(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard let body else { return 0 }
    let wanted = Int(clamping: min(Int64(count), body.count - sent))
    let result = unsafe pread(body.descriptor, bytes, wanted, off_t(body.start + sent))
    guard result >= 0, result > 0 || wanted == 0 else {
      failedToRead = true
      return Int(CURL_READFUNC_ABORT)
    }
    sent += Int64(result)
    return result
  }

  /// Seeks, in order to send the body again after a redirect.
  private func rewind(_ offset: Int64, _ origin: Int32) -> Int {
    guard let body, origin == SEEK_SET, (0...body.count).contains(offset) else {
      return Int(CURL_SEEKFUNC_CANTSEEK)
    }
    sent = offset
    return Int(CURL_SEEKFUNC_OK)
  }

  private static func at(
    _ context: UnsafeMutableRawPointer?, _ body: (Connection) -> Int
  ) -> Int {
    guard let context = unsafe context else { return 0 }
    return body(unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue())
  }

  private func set(_ option: CURLoption, _ text: String) {
    unsafe lazy_curl_set_text(handle, option, text)
  }

  private func set(_ option: CURLoption, _ number: Int) {
    unsafe lazy_curl_set_number(handle, option, number)
  }
}

/// Why we ended a connection.
enum Refusal: Error {
  /// A retry is useless.
  case final(TransferError)
  /// The transfer must wait for better conditions.
  case later(JobDeferral)
  /// The received data belongs to another file: once more, from the start.
  case restart(String)
}
