internal import BackgroundTasks
internal import Foundation
internal import JobFiles
internal import LazyCurl

/// The connections of one download, from the first request to the last byte.
final class Fetching {
  /// Files of this size or more are fetched in pieces.
  private static let largeBytes: Int64 = 64_000_000
  private static let defaultConnections = 4
  /// The limit for a file that keeps changing on the server.
  private static let maximumRestarts = 5
  private static let maximumRedirectBytes: Int64 = 64 << 10
  /// The interval of checking for cancellation.
  private static let lookInterval = Duration.milliseconds(200)
  /// A compressed response would be stored as it arrives.
  private static let own = ["Accept-Encoding: identity"]

  private let plan: DownloadPlan
  private let part: PartFile
  private let notebook: DownloadState
  private let sent: SentNote
  private let library: CurlLibrary
  private let pool: ConnectionPool
  private let view: TransferView
  /// The address of the file: another one than the plan's after a redirect.
  private var source: WebAddress
  /// Another one than the plan's after a redirect.
  private var method: Request.Method
  /// How often the request for each piece was redirected, since data arrived.
  private var redirects: [Int: Int] = [:]
  private var retries = Retries()
  private var discretion: Discretion
  private var restarts = 0

  init(
    _ plan: DownloadPlan, _ part: PartFile, _ notebook: DownloadState, _ sent: SentNote,
    _ library: CurlLibrary, _ task: BGContinuedProcessingTask
  ) throws(TransferError) {
    self.plan = plan
    source = plan.address
    method = plan.method
    self.part = part
    self.notebook = notebook
    self.sent = sent
    self.library = library
    pool = try ConnectionPool(library, speed: plan.options.speed)
    discretion = Discretion(plan.options)
    view = TransferView(task, name: (plan.address.fileName ?? plan.part.name).description)
  }

  /// Returns when the file is complete; received data is recorded, however it ends.
  func run() throws {
    if notebook.notes.pieces.isEmpty {
      notebook.notes.pieces = [Piece(start: 0)]
    } else {
      let done = Report.bytes(notebook.notes.done)
      Report.say("continuing at \(done), where it was interrupted")
    }
    do {
      if !plan.mayRepeat, !notebook.notes.isWhole { try prepareToSendOnce() }
      try loop()
    } catch {
      pool.removeAll()
      try? notebook.keepAtOnce()  // the first error is the one to report
      throw error
    }
    try notebook.keepAtOnce()
  }

  /// Waits for good conditions before the request, as it cannot be interrupted.
  private func prepareToSendOnce() throws {
    if let deferral = discretion.deferral(left: nil) { throw deferral }
    // A new job, which may replace what came of it, recognizes the part by them.
    try notebook.keepAtOnce()
  }

  private func loop() throws {
    if notebook.notes.done > 0 { try lookWhetherItIsTime() }
    while !notebook.notes.isWhole {
      try Task.checkCancellation()
      try startDue()
      let round = restarts
      // After a restart, other ended connections belong to the forgotten data.
      for (connection, code) in pool.perform() where restarts == round {
        try ended(connection, code)
      }
      try notebook.keep()
      if notebook.notes.isWhole { break }
      if notebook.notes.done > 0 { try lookWhetherItIsTime() }
      let pause = pool.connections.isEmpty ? retries.untilNext : nil
      show()
      view.show(waiting: pause.map { ($0, retries.reason) })
      pool.wait(min(pause ?? Self.lookInterval, Self.lookInterval))
    }
    show()
    view.show(waiting: nil)
  }

  private func lookWhetherItIsTime() throws {
    if let deferral { throw deferral }
  }

  /// For the remaining bytes; nil when the request could not be repeated.
  private var deferral: JobDeferral? {
    let notes = notebook.notes
    guard plan.mayRepeat, !notes.isWhole else { return nil }
    return discretion.deferral(left: notes.total.map { $0 - notes.done })
  }

  private func show() {
    let notes = notebook.notes
    view.show(notes.done, of: notes.total)
  }

  // MARK: Requests

  private func startDue() throws(TransferError) {
    for (index, piece) in notebook.notes.pieces.enumerated()
    where !piece.isWhole && pool.connections[index] == nil && retries.isDue(index) {
      guard
        let connection = unsafe Connection(
          request(for: piece), piece: index, library: library,
          takesBody: { [unowned self] in unsafe self.take($1, from: $0) })
      else { throw .library("it has no memory") }
      if !plan.mayRepeat, !sent.isThere { try sent.write() }
      pool.add(connection)
    }
  }

  private func request(for piece: Piece) -> Request {
    let isAll = piece.next == 0 && notebook.notes.pieces.count == 1
    // Fields for one server are not sent to another.
    let isOwn = source.origin == plan.address.origin
    let fields = isOwn ? plan.fields : plan.fields.filter { method != .get && Self.isOfBody($0) }
    return Request(
      address: source.text, login: source.login ?? (isOwn ? plan.address.login : nil),
      method: method, body: method == .get ? nil : plan.body?.body(),
      range: isAll ? nil : (piece.next, piece.end), validator: notebook.notes.validator,
      fields: Self.own + fields, follows: plan.fields.isEmpty && method == .get, isAlone: true,
      // A response without a range does not touch the received data.
      takesAnyStatus: plan.options.answer != nil && isAll,
      unpacks: plan.options.answer != nil && isAll,
      authorities: plan.options.authorities, speed: plan.options.speed)
  }

  private static func isOfBody(_ field: String) -> Bool {
    field.lowercased().hasPrefix("content-")
  }

  // MARK: Responses

  /// Returns whether the connection goes on.
  private func take(_ bytes: UnsafeRawBufferPointer, from connection: Connection) -> Bool {
    // A redirect may have a short body.
    if connection.head.isRedirect { return connection.received <= Self.maximumRedirectBytes }
    do throws(Refusal) {
      if !connection.isAccepted { try accept(connection) }
      return try unsafe put(bytes, connection.piece)
    } catch {
      connection.refusal = error
      return false
    }
  }

  /// False when the piece ends within `bytes`: the rest belongs to another connection.
  private func put(_ bytes: UnsafeRawBufferPointer, _ index: Int) throws(Refusal) -> Bool {
    let piece = notebook.notes.pieces[index]
    let count = min(bytes.count, Int(clamping: piece.missing ?? .max))
    let own = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
    if let number = unsafe part.put(own, at: piece.next) {
      throw .final(.target(part.path, "\(Report.reason(number)); jobrun redo continues with it"))
    }
    notebook.notes.pieces[index].done += Int64(count)
    if count < bytes.count, piece.end == notebook.notes.total { try refuseExcess() }
    return count == bytes.count
  }

  /// A body that is longer than its server said is invalid; a program gets the announced length.
  private func refuseExcess() throws(Refusal) {
    guard plan.options.answer == nil, let total = notebook.notes.total else { return }
    throw .final(
      .content(part.path, "the server sends more than the \(total) bytes that it announced"))
  }

  /// Checks whether the response matches the request and the received data.
  private func accept(_ connection: Connection) throws(Refusal) {
    connection.isAccepted = true
    redirects[connection.piece] = nil
    let head = connection.head
    switch (head.status, connection.isForRange) {
    case (200, false): try begin(connection)
    case (200..<300, false) where plan.method != .get: try begin(connection)
    case (206, true):
      let next = notebook.notes.pieces[connection.piece].next
      if let fault = notebook.notes.takePart(head, at: next) { throw .restart(fault) }
      // Another process of the program had started the transfer.
      if let answer = plan.options.answer, !answer.isThere {
        answer.note(head, at: connection.effectiveAddress)
      }
    case (200, true):
      if !head.knowsRanges { notebook.notes.refusesRanges = true }
      let isSame = head.validator == notebook.notes.validator
      throw .restart(
        "the server sends the file from its beginning: "
          + (isSame ? "it knows no parts" : "it has changed there"))
    case (let status, let isPart) where plan.options.answer != nil && status >= 200:
      // The received data belongs to another file.
      if isPart { throw .restart(StatusText.sentence(status)) }
      try begin(connection)
    case (let status, _):
      throw .final(.fetching(plan.address.shown, StatusText.sentence(status)))
    }
  }

  /// Evaluates the first response: what the file is, where it goes, and in how many pieces it is fetched.
  private func begin(_ connection: Connection) throws(Refusal) {
    let head = connection.head
    do throws(TransferError) {
      var name = head.fileName
      if name == plan.address.fileName { name = nil }
      try plan.checkIsFree(plan.target(serverName: name))
      // A program gets it decompressed: neither its length nor its parts are those of the response.
      let isUnpacked = head.encoding != nil && plan.options.answer != nil
      let length = isUnpacked ? nil : head.contentLength
      if let length {
        let room = part.hasRoom(for: length)
        guard room.fits else {
          throw .target(
            part.path,
            "the disk has \(Report.bytes(room.free)) left, and it needs \(Report.bytes(length))")
        }
      }
      notebook.notes.name = name?.description
      notebook.notes.validator = isUnpacked || plan.method != .get ? nil : head.validator
      notebook.notes.total = length
      if let encoding = head.encoding, !isUnpacked {
        notebook.notes.encoding = encoding
        try check(encoding, plan.target(serverName: name))
      }
      notebook.notes.promisedDigest = isUnpacked ? nil : head.promisedDigest
      notebook.notes.pieces[connection.piece].end = length
      if notebook.notes.validator != nil { split(head) }
      try notebook.keepAtOnce()
      plan.options.answer?.note(head, at: connection.effectiveAddress)
    } catch {
      throw .final(error)
    }
    if let deferral { throw .later(deferral) }
  }

  /// An unrequested compression is undone for programs only; otherwise the file is kept under a name that shows it.
  private func check(_ encoding: String, _ target: BytePath) throws(TransferError) {
    guard FileName.isPacked(target) else {
      throw .fetching(
        plan.address.shown,
        "the server sends it packed (\(encoding)), which was not requested; with"
          + " \(target.name).\(FileName.ending(ofPacked: encoding)) for TARGET it is kept as it comes"
      )
    }
    Report.say("the server sends it packed (\(encoding)); it is kept as it comes")
  }

  private func split(_ head: ResponseHead) {
    guard let first = notebook.notes.pieces.first, let missing = first.missing,
      head.knowsRanges, !notebook.notes.refusesRanges, head.validator != nil
    else { return }
    // A limited rate needs no more than one.
    let usual =
      missing >= Self.largeBytes && plan.options.speed == nil ? Self.defaultConnections : 1
    notebook.notes.pieces = Piece.split(first, into: plan.connections ?? usual)
  }

  // MARK: Ends of requests

  private func ended(_ connection: Connection, _ code: CURLcode) throws {
    if code == CURLE_OK, try goElsewhere(connection) { return }
    do throws(Refusal) {
      if code == CURLE_OK, !connection.isAccepted { try accept(connection) }
      if connection.isAccepted, connection.isTooLong { try refuseExcess() }
    } catch {
      connection.refusal = error
    }
    switch connection.refusal {
    case .final(let error): throw error
    case .later(let deferral): throw deferral
    case .restart(let reason): return try restart(reason)
    case nil: break
    }
    let index = connection.piece
    // The part of a file of unknown length need not be the last.
    if code == CURLE_OK, notebook.notes.pieces[index].end == nil, !connection.isForRange {
      notebook.notes.pieces[index].end = notebook.notes.pieces[index].next
    }
    guard !notebook.notes.pieces[index].isWhole else { return retries.forget(index) }
    try fail(connection, code)
  }

  /// Whether the response is a redirect; throws when its address is invalid.
  private func goElsewhere(_ connection: Connection) throws(TransferError) -> Bool {
    guard connection.head.isRedirect, let reference = connection.head.fields["location"] else {
      return false
    }
    // As in `URLSession`, a POST becomes a GET, unless the server says that it must not.
    let status = connection.head.status
    if status == 303 || [301, 302].contains(status) && method == .post { method = .get }
    redirects[connection.piece, default: 0] += 1
    guard redirects[connection.piece, default: 0] <= Connection.maximumRedirects else {
      throw .fetching(plan.address.shown, Connection.endlessSentence)
    }
    do throws(TransferError) {
      guard let next = try WebAddress(connection.address).resolving(reference) else {
        return false
      }
      source = next
    } catch {
      throw .fetching(plan.address.shown, Connection.otherSchemeSentence)
    }
    return true
  }

  private func fail(_ connection: Connection, _ code: CURLcode) throws {
    let status = connection.head.status
    if code == CURLE_HTTP_RETURNED_ERROR, status == 416, connection.isForRange {
      let next = notebook.notes.pieces[connection.piece].next
      if notebook.notes.takeEnd(connection.head, at: next) { return }
      return try restart("the server no longer has that part")
    }
    let isAnswer = code == CURLE_HTTP_RETURNED_ERROR
    let isPart = code == CURLE_OK
    let reason =
      isAnswer
      ? StatusText.sentence(status)
      : isPart ? "the server sent less than was asked for" : connection.reason(code)
    // After a redirect to the response the request itself was carried out.
    let isUntaken =
      method == plan.method
      && (RetryRule.isUnsent(code) || isAnswer && RetryRule.isUntaken(status: status))
    if !plan.mayRepeat, isUntaken { sent.remove() }
    guard
      isAnswer
        ? RetryRule.isTransient(status: status) : isPart || RetryRule.isTransient(code)
    else {
      if isAnswer, connection.isForRange, plan.options.answer != nil {
        // The program must get a response for the whole file.
        return try restart(reason)
      }
      plan.options.answer?.note(error: code.rawValue, at: connection.effectiveAddress)
      throw TransferError.fetching(plan.address.shown, reason)
    }
    guard plan.mayRepeat || isUntaken else {
      plan.options.answer?.note(error: code.rawValue, at: connection.effectiveAddress)
      throw TransferError.fetching(
        plan.address.shown,
        "\(reason); it may have arrived, and \(plan.method.rawValue) is not repeated")
    }
    // The address of a redirect may be valid for a short time only.
    source = plan.address
    method = plan.method
    redirects[connection.piece] = nil
    // A download that cannot be resumed starts again.
    if notebook.notes.validator == nil, notebook.notes.done > 0 { try restart(reason) }
    let wait = retries.add(
      connection.piece, reason: reason, asked: connection.head.retryAfter,
      brought: connection.received,
      // Some servers limit connections: while one makes progress, a failure of another does not count.
      isAway: RetryRule.isAway(code, from: connection.address) || !pool.connections.isEmpty)
    guard let wait else {
      plan.options.answer?.note(error: code.rawValue, at: connection.effectiveAddress)
      throw TransferError.fetching(
        plan.address.shown, "\(reason), \(RetryRule.maximumTries) times in a row")
    }
    Report.say("\(reason); tries again in \(Self.seconds(wait))")
  }

  private func restart(_ reason: String) throws {
    restarts += 1
    guard restarts <= Self.maximumRestarts else {
      throw TransferError.fetching(plan.address.shown, "\(reason), again and again")
    }
    if notebook.notes.done > 0 { Report.say("\(reason); starting over") }
    pool.removeAll()
    retries = Retries()
    redirects = [:]
    // A server that does not serve one file in pieces is not asked for them again.
    if notebook.notes.pieces.count > 1 { notebook.notes.refusesRanges = true }
    try part.cut(to: 0)
    try notebook.restart()
  }

  private static func seconds(_ span: Duration) -> String {
    let count = max(1, span.components.seconds)
    return "\(count) s"
  }
}
