internal import BackgroundTasks
internal import Foundation
internal import JobFiles
internal import LateCurl

/// A failure that another time may be none.
struct Setback: Error {
  var reason: String
  /// The wait that the server asks for.
  var asked: Duration?
  /// Whether this machine has no network.
  var isAway = false
  /// Whether the server itself has said so.
  var isAnswer = false
}

/// Sends one request after the other for an upload, and says meanwhile how far it is.
final class Courier {
  /// A cancellation is seen this soon.
  private static let lookInterval = Duration.milliseconds(200)

  let file: SentFile
  let address: WebAddress
  private let options: ConnectionOptions
  private let answerBody: BytePath?
  private let fields: [String]
  private let library: CurlLibrary
  private let pool: ConnectionPool
  private let view: TransferView
  /// Bytes that the server says it has.
  var arrived: Int64 = 0

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
    view = TransferView(task, name: file.path.name.description)
  }

  /// Sends `method` to `target` to its end, with what is left of the file from `offset` on; the server's
  /// words when it agreed.
  ///
  /// A failure that may pass is a `Setback`; what is final is a `TransferError`. Answers in `passing` may
  /// pass, too, and those that `isTaken` says yes to are given back as if it had agreed. `whenKept` is told
  /// where the server keeps what comes, as soon as it says so.
  func send(
    _ method: Request.Method, to target: WebAddress, lines: [String] = [],
    from offset: Int64? = nil, mayRepeat: Bool = true, passing: [Int] = [],
    isTaken: (ResponseHead) -> Bool = { _ in false },
    whenKept: (String) throws -> Void = { _ in }
  ) throws -> ResponseHead {
    var request = Request(address: target.text, method: method)
    // What is for one server is not told to another.
    let isOwn = target.origin == address.origin
    request.login = target.login ?? (isOwn ? address.login : nil)
    request.fields = lines + (isOwn ? fields : [])
    request.follows = fields.isEmpty
    request.body = offset.map { file.body(from: $0) }
    request.takesAnyStatus = options.answer != nil
    request.authorities = options.authorities
    request.speed = options.speed
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
      let ended = pool.perform().first
      if let text = connection.head.resumption, text != kept {
        kept = text
        try whenKept(text)
      }
      if let (_, code) = ended {
        if code == CURLE_HTTP_RETURNED_ERROR, isTaken(connection.head) { return connection.head }
        return try judge(connection, code, mayRepeat: mayRepeat, passing: passing)
      }
      if let offset { show(offset + connection.sent) } else { view.reportAlive() }
      pool.wait(Self.lookInterval)
    }
  }

  /// Does `work` again as long as it meets setbacks that may pass; those behind which the server has more
  /// than before cost no try.
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
          throw failure("\(setback.reason), \(RetryRule.mostTries) times in a row")
        }
        Report.say("\(setback.reason); tries again in \(max(1, wait.components.seconds)) s")
        try pause(wait, setback.reason)
      }
    }
  }

  func show(_ done: Int64) { view.show(done, of: file.size, isWhole: done == file.size) }

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

  private func judge(
    _ connection: Connection, _ code: CURLcode, mayRepeat: Bool, passing: [Int]
  ) throws -> ResponseHead {
    let head = connection.head
    if code == CURLE_OK, options.answer != nil || (200..<300).contains(head.status) {
      options.answer?.note(head, at: address.text)
      return head
    }
    if connection.failedToRead {
      throw TransferError.reading(file.path, "it has become shorter while it was sent")
    }
    let isAnswer = code == CURLE_HTTP_RETURNED_ERROR || code == CURLE_OK
    let reason = isAnswer ? StatusText.sentence(head.status) : connection.reason(code)
    let mayPass =
      isAnswer
      ? RetryRule.isTransient(status: head.status) || passing.contains(head.status)
      : RetryRule.isTransient(code)
    guard mayPass else {
      options.answer?.note(error: code.rawValue, at: address.text)
      throw failure(reason)
    }
    guard
      mayRepeat || connection.sent == 0 || head.resumption != nil
        || [425, 429, 503].contains(head.status)
    else {
      options.answer?.note(error: code.rawValue, at: address.text)
      throw failure("\(reason); it may have arrived, and POST is not repeated")
    }
    throw Setback(
      reason: reason, asked: head.retryAfter, isAway: RetryRule.isAway(code), isAnswer: isAnswer)
  }
}
