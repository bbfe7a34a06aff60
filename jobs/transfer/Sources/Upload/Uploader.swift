internal import BackgroundTasks
internal import Foundation
internal import JobFiles
internal import LazyCurl

/// A failure that a retry may avoid.
struct Setback: Error {
  var reason: String
  /// The delay that the server asks for.
  var asked: Duration?
  /// Whether this machine has no network.
  var isAway = false
  /// Whether the server itself has reported it.
  var isAnswer = false
}

/// Sends the requests of an upload one after the other, and reports progress meanwhile.
final class Uploader {
  /// Which statuses count as the server's response to the upload, where a program asked for it
  /// (`--answer`).
  enum Taking {
    /// None: the request is part of the protocol, and the server agrees or not.
    case agreement
    /// Those that a retry would not change.
    case lasting
    /// All.
    case any
  }

  /// The interval of checking for cancellation.
  private static let lookInterval = Duration.milliseconds(200)

  let file: SentFile
  let address: WebAddress
  private let options: ConnectionOptions
  private let answerBody: BytePath?
  private let fields: [String]
  private let library: CurlLibrary
  private let pool: ConnectionPool
  private let view: TransferView
  private var discretion: Discretion
  /// The bytes that the server has confirmed.
  var arrived: Int64 = 0
  /// The last response of the server, and its address.
  private var last: (head: ResponseHead, address: String)?
  /// Content of the file was sent.
  private var hasSent = false
  /// Whether the server may have done what the last call of `send` asked for.
  private(set) var mayHaveArrived = false
  /// Whether the server has refused the content for good.
  private(set) var isRefused = false

  init(
    _ arguments: UploadArguments, _ file: SentFile, _ task: BGContinuedProcessingTask
  ) throws(TransferError) {
    guard let address = arguments.address else { preconditionFailure("only help has no address") }
    self.address = address
    self.file = file
    options = arguments.connection
    answerBody = arguments.answerBody
    fields = try options.fields()
    library = try CurlLibrary()
    pool = try ConnectionPool(library, speed: options.speed)
    discretion = Discretion(options)
    view = TransferView(task, name: file.path.name.description)
  }

  /// Sends `method` to `target` to its end, with the rest of the file from `offset` on, and follows
  /// redirects; returns the server's response when it succeeded.
  ///
  /// Without `mayRepeat` it is not deferred once it may have arrived, unless it can be resumed.
  ///
  /// A temporary failure is a `Setback`; a permanent one is a `TransferError`. Statuses in `passing` count
  /// as temporary, too, and those for which `isTaken` returns true as success. `whenKept` gets the address
  /// of the upload resource as soon as the server sends it.
  func send(
    _ method: Request.Method, to target: WebAddress, lines: [String] = [],
    from offset: Int64? = nil, mayRepeat: Bool = true, passing: [Int] = [],
    taking: Taking = .agreement, isTaken: (ResponseHead) -> Bool = { _ in false },
    whenKept: (WebAddress) throws -> Void = { _ in }
  ) throws -> ResponseHead {
    var request = Request(address: target.text, method: method)
    request.follows = false
    request.body = offset.map { file.body(from: $0) }
    request.takesAnyStatus = options.answer != nil && taking != .agreement
    request.authorities = options.authorities
    request.speed = options.speed
    var location = target
    (mayHaveArrived, isRefused) = (false, false)
    for _ in 0...Connection.maximumRedirects {
      let isOwn = location.origin == address.origin
      request.address = location.text
      request.login = location.login ?? (isOwn ? address.login : nil)
      request.fields = lines + fields(isOwn: isOwn, beside: lines)
      let isAnswerOnly = request.method == .get
      let (connection, code) = try exchange(
        request, from: offset, mayRepeat: mayRepeat, whenKept: whenKept)
      let head = connection.head
      mayHaveArrived =
        isAnswerOnly || !isUntaken(connection, code, hasBody: request.body?.count ?? 0 > 0)
      last = (head, connection.address)
      if code == CURLE_OK, head.isRedirect, let next = try next(head, from: location) {
        location = next
        // The data has arrived, and only the response is elsewhere (RFC 9110, section 15.4.4); for all
        // other redirects it is sent again, POST too: a POST that becomes a GET would lose the data.
        if head.status == 303 { (request.method, request.body) = (.get, nil) }
        continue
      }
      if code == CURLE_HTTP_RETURNED_ERROR, isTaken(head) { return head }
      return try judge(
        connection, code, of: method, isContent: offset != nil && !isAnswerOnly,
        mayRepeat: mayRepeat, passing: passing, taking: taking)
    }
    throw failure(Connection.endlessSentence)
  }

  /// Fields for one server are not sent to another; fields about the file are sent to all.
  private func fields(isOwn: Bool, beside lines: [String]) -> [String] {
    let taken = lines.map(Self.name)
    return fields.filter { field in
      let name = Self.name(field)
      return !taken.contains(name) && (isOwn || name.hasPrefix("content-"))
    }
  }

  private static func name(_ line: String) -> String { line.prefix { $0 != ":" }.lowercased() }

  /// The address of a redirect; nil when it is malformed.
  private func next(
    _ head: ResponseHead, from location: WebAddress
  ) throws(TransferError) -> WebAddress? {
    guard let reference = head.fields["location"] else { return nil }
    do throws(TransferError) {
      return try location.resolving(reference)
    } catch {
      throw failure(Connection.otherSchemeSentence)
    }
  }

  /// One request to its end.
  private func exchange(
    _ request: Request, from offset: Int64?, mayRepeat: Bool,
    whenKept: (WebAddress) throws -> Void
  ) throws -> (Connection, CURLcode) {
    if offset != nil { hasSent = true }
    let body = try offset.flatMap { _ in answerBody }.map { path throws(TransferError) in
      try AnswerBody(path)
    }
    guard
      let connection = unsafe Connection(
        request, piece: 0, library: library,
        takesBody: { unsafe body?.append($1) ?? true })
    else { throw TransferError.library("it has no memory") }
    pool.add(connection)
    defer { pool.removeAll() }
    var kept: String?
    while true {
      try Task.checkCancellation()
      let left = file.size - (offset ?? 0) - connection.sent
      if mayRepeat || !mayHaveArrived || kept != nil,
        let deferral = discretion.deferral(left: left)
      {
        throw deferral
      }
      mayHaveArrived = true
      let ended = pool.perform().first
      if let text = connection.head.resumption, text != kept {
        kept = text
        if let location = try? resolving(text, from: request.address) { try whenKept(location) }
      }
      if let ended { return ended }
      if let offset { show(offset + connection.sent) } else { view.reportAlive() }
      pool.wait(Self.lookInterval)
    }
  }

  /// Repeats `work` after temporary failures; those that made progress at the server do not count.
  func persist<Value>(_ work: () throws -> Value) throws -> Value {
    var retries = Retries()
    var known = arrived
    while true {
      do {
        return try work()
      } catch let setback as Setback {
        let wait = retries.add(
          0, reason: setback.reason, asked: setback.asked, brought: arrived - known,
          isAway: setback.isAway)
        known = max(known, arrived)
        guard let wait else {
          throw failure("\(setback.reason), \(RetryRule.maximumTries) times in a row")
        }
        Report.say("\(setback.reason); tries again in \(max(1, wait.components.seconds)) s")
        try pause(wait, setback.reason)
      }
    }
  }

  func show(_ done: Int64) { view.show(done, of: file.size) }

  func failure(_ reason: String) -> TransferError { .sending(file.path, address.shown, reason) }

  private func pause(_ wait: Duration, _ reason: String) throws {
    let end = ContinuousClock.now + wait
    while case let left = end - .now, left > .zero {
      try Task.checkCancellation()
      view.show(waiting: (left, reason))
      pool.wait(min(left, Self.lookInterval))
    }
    view.show(waiting: nil)
  }

  /// The address for a reference, relative to that of the last response.
  func resolving(_ reference: String) throws(TransferError) -> WebAddress? {
    try resolving(reference, from: last?.address ?? address.text)
  }

  private func resolving(
    _ reference: String, from location: String
  ) throws(TransferError) -> WebAddress? {
    try WebAddress(location).resolving(reference)
  }

  /// Records the server's last response for the program, unless an earlier attempt has done so and this one has sent
  /// nothing.
  func noteAnswer() {
    guard let answer = options.answer, let (head, address) = last, hasSent || !answer.isThere else {
      return
    }
    answer.note(head, at: address)
  }

  /// Whether the server has certainly not done what the request asks for.
  private func isUntaken(_ connection: Connection, _ code: CURLcode, hasBody: Bool) -> Bool {
    if RetryRule.isUnsent(code) || hasBody && connection.sent == 0 { return true }
    return Self.isAnswer(code) && RetryRule.isUntaken(status: connection.head.status)
  }

  private static func isAnswer(_ code: CURLcode) -> Bool {
    code == CURLE_HTTP_RETURNED_ERROR || code == CURLE_OK
  }

  private func judge(
    _ connection: Connection, _ code: CURLcode, of method: Request.Method, isContent: Bool,
    mayRepeat: Bool, passing: [Int], taking: Taking
  ) throws -> ResponseHead {
    let head = connection.head
    let isTransient = RetryRule.isTransient(status: head.status) || passing.contains(head.status)
    let isWanted =
      switch taking {
      case .agreement: false
      case .lasting: options.answer != nil && !isTransient
      case .any: options.answer != nil
      }
    if code == CURLE_OK, isWanted || (200..<300).contains(head.status) { return head }
    if connection.failedToRead {
      throw TransferError.reading(file.path, "it was truncated while it was sent")
    }
    let isAnswer = Self.isAnswer(code)
    let reason = isAnswer ? StatusText.sentence(head.status) : connection.reason(code)
    guard isAnswer ? isTransient : RetryRule.isTransient(code) else {
      options.answer?.note(error: code.rawValue, at: connection.address)
      isRefused =
        isContent && isAnswer && RetryRule.isUntaken(status: head.status)
        && !RetryRule.isForAuthentication(status: head.status)
      throw failure(reason)
    }
    guard mayRepeat || !mayHaveArrived || head.resumption != nil else {
      options.answer?.note(error: code.rawValue, at: connection.address)
      throw failure("\(reason); it may have arrived, and \(method.rawValue) is not repeated")
    }
    throw Setback(
      reason: reason, asked: head.retryAfter,
      isAway: RetryRule.isAway(code, from: connection.address), isAnswer: isAnswer)
  }
}
