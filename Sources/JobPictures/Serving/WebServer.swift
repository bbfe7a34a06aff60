internal import JobClient
internal import JobCore
internal import JobWire
internal import LazyHTTP
internal import LinuxSystem

/// Serves the page on this machine's own addresses, in one thread: libmicrohttpd reads and writes, the
/// runner is asked over its socket as by any other program.
@safe
final class WebServer {
  private var authorizer: Authorizer
  private let requests: WebRequests
  private var loop: EventLoop
  /// The terminating signals; blocked before the address is printed.
  private let signals: SignalDescriptor
  private var servers: [OpaquePointer] = unsafe []
  /// The library's callbacks; the memory must not move.
  private let handlers: UnsafeMutablePointer<lazy_http_handlers>
  /// Feeds by the descriptor that they are read from.
  private var exchanges: [UInt64: Exchange] = [:]
  /// Connections without a complete request, by their address: their descriptors and deadlines.
  private var silent: [OpaquePointer: (descriptor: Int32, due: UInt64)] = unsafe [:]
  private var nextBeat: UInt64 = .max

  private static let connections: UInt32 = 128
  /// The maximum number of connections without a complete request.
  ///
  /// One more closes the oldest, so that new clients always get in.
  private static let maximumSilent = 64
  /// Seconds after which the library closes a connection that neither sends nor receives.
  private static let timeout: UInt32 = 15
  /// For a request, from the end of the one before it, in nanoseconds.
  private static let headTimeout: UInt64 = 20_000_000_000
  /// For the head of a request, in bytes.
  private static let headRoom = 32 << 10
  private static let beatPause: UInt64 = 20_000_000_000

  private static let signalToken: UInt64 = .max
  private static let serverToken: UInt64 = .max - 1

  /// Carries out `serve PORT [read-only]`.
  static func serve(_ words: [String], isJSON: Bool) throws(WireError) {
    guard let port = words.first.flatMap({ UInt16($0) }) else {
      throw WireError(.usage, "jobrun-helper serve takes a port")
    }
    if let reason = unsafe lazy_http_load() {
      throw WireError(
        .unavailable,
        "the page needs libmicrohttpd, which cannot be loaded (\(unsafe String(cString: reason)));"
          + " install it (Debian: apt install libmicrohttpd12)")
    }
    let link = try Surroundings().hostLink()
    // Without a runner, this fails now.
    _ = try link.ask(.status)
    let server = try WireError.from(.internal) { () throws(SystemError) in
      try WebServer(link, isReadOnly: words.dropFirst().first == "read-only")
    }
    let taken = try server.listen(port)
    server.authorizer.secrets = PageSecrets(
      port: taken, isReadOnly: server.authorizer.isReadOnly, in: link.runtime)
    try StandardOutput.write(Array(server.greeting(port: taken, isJSON: isJSON).utf8))
    try WireError.from(.internal) { () throws(SystemError) in try server.run() }
  }

  private init(_ link: RunnerLink, isReadOnly: Bool) throws(SystemError) {
    authorizer = Authorizer(isReadOnly: isReadOnly)
    requests = WebRequests(link: link, isReadOnly: isReadOnly)
    loop = try EventLoop()
    signals = try SignalDescriptor([Signal.interrupt, Signal.terminate, Signal.hangup])
    unsafe handlers = .allocate(capacity: 1)
    unsafe handlers.initialize(
      to: lazy_http_handlers(
        context: Unmanaged.passUnretained(self).toOpaque(),
        request: { context, connection, method, path, _, size, own in
          guard let connection = unsafe connection, let method = unsafe method,
            let path = unsafe path, let size = unsafe size, let own = unsafe own
          else { return 0 }
          let server = unsafe WebServer.at(context)
          // No request accepts a body.
          guard unsafe size.pointee == 0 else { return 0 }
          if unsafe own.pointee == nil {
            let exchange = unsafe Exchange(connection)
            unsafe own.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return 1
          }
          guard let exchange = unsafe WebServer.exchange(own.pointee) else { return 0 }
          unsafe exchange.descriptor = server?.silent.removeValue(forKey: connection)?.descriptor
          return unsafe server?.answer(
            exchange, String(cString: method), String(cString: path)) ?? 0
        },
        completed: { context, connection, own in
          guard let own = unsafe own, let connection = unsafe connection else { return }
          let exchange = unsafe Unmanaged<Exchange>.fromOpaque(own).takeRetainedValue()
          unsafe WebServer.at(context)?.completed(exchange, connection)
        },
        changed: { context, connection, hasBegun, descriptor in
          guard let connection = unsafe connection else { return }
          unsafe WebServer.at(context)?.changed(
            connection, hasBegun: hasBegun == 1, descriptor)
        }))
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> WebServer? {
    unsafe context.map { unsafe Unmanaged<WebServer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func exchange(_ own: UnsafeMutableRawPointer?) -> Exchange? {
    unsafe own.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }
}

// MARK: Listening

extension WebServer {
  /// The port that is taken.
  private func listen(_ port: UInt16) throws(WireError) -> UInt16 {
    guard let four = unsafe start(port, isSix: 0) else {
      throw WireError(
        .cannotCreate,
        "port \(port) is not available: another program uses it, or only root may; --port 0 picks"
          + " a free one")
    }
    let taken = unsafe lazy_http_port(four)
    // Without IPv6, or if another program has that port there, one address is enough.
    unsafe servers.append(four)
    if let six = unsafe start(taken, isSix: 1) { unsafe servers.append(six) }
    return taken
  }

  private func start(_ port: UInt16, isSix: Int32) -> OpaquePointer? {
    unsafe lazy_http_start(
      port, isSix, Self.connections, Self.timeout, Self.headRoom, handlers)
  }

  private func greeting(port: UInt16, isJSON: Bool) -> String {
    let address = "http://127.0.0.1:\(port)/#\(authorizer.secrets.token)"
    let tunnel = "ssh -L \(port):127.0.0.1:\(port) \(CurrentProcess.hostName())"
    guard isJSON else {
      return "\(address)  (from another machine after: \(tunnel))\n"
        + "Ctrl-C ends the page; all jobs keep running.\n"
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("address", address)
    writer.field("port", port)
    writer.field("tunnel", tunnel)
    writer.endObject()
    writer.newline()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func run() throws(SystemError) {
    try loop.add(signals.number, .readable, token: Self.signalToken)
    for number in unsafe servers.map({ unsafe lazy_http_descriptor($0) }) {
      try loop.add(number, .readable, token: Self.serverToken)
    }
    while true {
      for index in unsafe servers.indices { unsafe lazy_http_run(servers[index]) }
      let now = AwakeClock.now()
      cutSilent(at: now)
      beat(at: now)
      for event in try loop.wait(until: nextWake(after: now)) {
        if event.token == Self.signalToken { return }
        if event.token != Self.serverToken { feedCame(event.token) }
      }
    }
  }

  private func nextWake(after now: UInt64) -> UInt64? {
    let timeouts = unsafe servers.map { unsafe lazy_http_timeout($0) }.filter { $0 >= 0 }
    let library = timeouts.min().map { now + UInt64($0) * 1_000_000 }
    let own = unsafe silent.values.map(\.due).min()
    return [library, own, exchanges.isEmpty ? nil : nextBeat].compactMap { $0 }.min()
  }
}

// MARK: Connections

extension WebServer {
  private func changed(_ connection: OpaquePointer, hasBegun: Bool, _ descriptor: Int32) {
    unsafe silent[connection] = nil
    guard hasBegun else { return }
    unsafe expectRequest(connection, descriptor)
    guard unsafe silent.count > Self.maximumSilent,
      let oldest = unsafe silent.min(by: { unsafe $0.value.due < $1.value.due })
    else { return }
    unsafe silent[oldest.key] = nil
    unsafe lazy_http_cut(oldest.value.descriptor)
  }

  private func expectRequest(_ connection: OpaquePointer, _ descriptor: Int32) {
    unsafe silent[connection] = (descriptor, AwakeClock.now() + Self.headTimeout)
  }

  /// Closes connections whose request head is late, even if bytes still arrive one at a time.
  private func cutSilent(at now: UInt64) {
    unsafe silent = silent.filter { _, silence in
      if silence.due <= now { lazy_http_cut(silence.descriptor) }
      return silence.due > now
    }
  }

  private func completed(_ exchange: Exchange, _ connection: OpaquePointer) {
    if let descriptor = exchange.descriptor { unsafe expectRequest(connection, descriptor) }
    guard let stream = exchange.stream.take() else { return }
    loop.remove(stream.number)
    exchanges[UInt64(stream.number)] = nil
  }

  /// Nonzero when it is answered.
  private func answer(_ exchange: Exchange, _ method: String, _ path: String) -> Int32 {
    let connection = unsafe exchange.connection
    func head(_ name: String) -> String? {
      unsafe lazy_http_head(connection, name).map { unsafe String(cString: $0) }
    }
    let asked = Authorizer.Head(
      method: method, path: path, host: head("Host"), origin: head("Origin"),
      // A stream of events is asked for without heads of the page's own.
      key: head("X-Key") ?? argument("key", exchange), site: head("Sec-Fetch-Site"),
      token: head("X-Token"))
    if let refusal = authorizer.refusal(of: asked) { return send(refusal, to: exchange) }
    do throws(WireError) {
      if method == "GET", path == "/events" {
        let since = head("Last-Event-ID") ?? argument("since", exchange)
        return try stream(to: exchange, since: since.flatMap { UInt64($0) })
      }
      return send(try found(method, path, exchange), to: exchange)
    } catch {
      return send(.failure(error), to: exchange)
    }
  }

  private func found(
    _ method: String, _ path: String, _ exchange: Exchange
  ) throws(WireError) -> Answer {
    if let page = Page.file(path) { return Answer(status: 200, type: page.type, body: page.bytes) }
    if path == "/session" {
      return Answer(status: 200, type: "text/plain", body: Array(authorizer.secrets.key.utf8))
    }
    if path == "/proof" {
      let proof = authorizer.secrets.proof(
        for: String((argument("nonce", exchange) ?? "").prefix(64)))
      return Answer(status: 200, type: "text/plain", body: Array(proof.utf8))
    }
    let answer = try requests.answer(method, path) { argument($0, exchange) }
    return answer ?? .refusal(404, "there is nothing at \(path.quoted)")
  }

  private func argument(_ name: String, _ exchange: Exchange) -> String? {
    unsafe lazy_http_argument(exchange.connection, name).map { unsafe String(cString: $0) }
  }

  private func send(_ answer: Answer, to exchange: Exchange) -> Int32 {
    let heads = ["Content-Type", answer.type] + answer.heads + Answer.defaultHeads
    return unsafe withPointers(heads) { heads in
      unsafe answer.body.withUnsafeBytes { body in
        unsafe lazy_http_answer(
          exchange.connection, answer.status, body.baseAddress, body.count, heads)
      }
    }
  }

  /// The texts as C has them, with null at the end.
  private func withPointers(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Int32
  ) -> Int32 {
    let copies = unsafe texts.map { text in
      let bytes = text.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      for (index, byte) in bytes.enumerated() { unsafe (copy + index).initialize(to: byte) }
      return unsafe copy
    }
    defer { for index in unsafe copies.indices { unsafe copies[index].deallocate() } }
    let table: [UnsafePointer<CChar>?] = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
    return unsafe table.withUnsafeBufferPointer { pointers in
      unsafe pointers.baseAddress.map { unsafe body($0) } ?? 0
    }
  }
}

// MARK: Feeds

extension WebServer {
  private func stream(to exchange: Exchange, since: UInt64?) throws(WireError) -> Int32 {
    requests.link.deadline = AwakeClock.now() + Self.headTimeout
    let stream = try EventStream(requests.link, since: since)
    try WireError.from(.internal) { () throws(SystemError) in
      try loop.add(stream.number, .readable, token: UInt64(stream.number))
    }
    exchange.stream = stream
    exchanges[UInt64(stream.number)] = exchange
    nextBeat = min(nextBeat, AwakeClock.now() + Self.beatPause)
    let heads = ["Content-Type", "text/event-stream"] + Answer.defaultHeads
    return unsafe withPointers(heads) { heads in
      unsafe lazy_http_stream(
        exchange.connection,
        { own, _, room, size in
          guard let exchange = unsafe WebServer.exchange(own), let stream = exchange.stream,
            let room = unsafe room
          else { return -1 }
          let bytes = stream.take(size)
          for (index, byte) in bytes.enumerated() {
            unsafe (room + index).initialize(to: CChar(bitPattern: byte))
          }
          if !bytes.isEmpty { return bytes.count }
          if stream.isOver { return -1 }
          stream.isSuspended = true
          unsafe lazy_http_suspend(exchange.connection)
          return 0
        }, Unmanaged.passUnretained(exchange).toOpaque(), heads)
    }
  }

  /// The runner has said something, or has ended.
  private func feedCame(_ token: UInt64) {
    guard let exchange = exchanges[token], let stream = exchange.stream else { return }
    if stream.hasRoom { stream.read() }
    if stream.isOver {
      // The page reconnects by itself, with its newest event.
      loop.remove(stream.number)
      exchanges[token] = nil
    } else if !stream.hasRoom {
      // Until the page has read the pending output, the runner's connection is not watched at all, because its
      // hang-up would be reported with any interest.
      loop.remove(stream.number)
      stream.isHeard = false
    }
    resume(exchange)
  }

  private func resume(_ exchange: Exchange) {
    guard let stream = exchange.stream, stream.isSuspended, !stream.isEmpty || stream.isOver else {
      return
    }
    stream.isSuspended = false
    unsafe lazy_http_resume(exchange.connection)
  }

  /// Sends something to every page from time to time, because otherwise a closed page would not be noticed.
  private func beat(at now: UInt64) {
    for (token, exchange) in exchanges {
      guard let stream = exchange.stream, !stream.isHeard, stream.isNearlyEmpty else { continue }
      stream.isHeard = (try? loop.add(stream.number, .readable, token: token)) != nil
    }
    guard nextBeat <= now else { return }
    nextBeat = exchanges.isEmpty ? .max : now + Self.beatPause
    for exchange in exchanges.values {
      exchange.stream?.beat()
      resume(exchange)
    }
  }
}
