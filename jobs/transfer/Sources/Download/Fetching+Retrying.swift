internal import JobFiles
internal import LazyCurl

// Ends of requests: redirects, further tries, and starting over.
extension Fetching {
  /// The limit for a file that keeps changing on the server.
  private static let maximumRestarts = 5

  func ended(_ connection: Connection, _ code: CURLcode) throws {
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
    if code == CURLE_OK, state.notes.pieces[index].end == nil, !connection.isForRange {
      state.notes.pieces[index].end = state.notes.pieces[index].next
    }
    guard !state.notes.pieces[index].isWhole else { return retries.forget(index) }
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
      let next = state.notes.pieces[connection.piece].next
      if state.notes.takeEnd(connection.head, at: next) { return }
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
    if state.notes.validator == nil, state.notes.done > 0 { try restart(reason) }
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
    if state.notes.done > 0 { Report.say("\(reason); starting over") }
    pool.removeAll()
    retries = Retries()
    redirects = [:]
    // A server that does not serve one file in pieces is not asked for them again.
    if state.notes.pieces.count > 1 { state.notes.refusesRanges = true }
    try part.cut(to: 0)
    try state.restart()
  }

  private static func seconds(_ span: Duration) -> String {
    let count = max(1, span.components.seconds)
    return "\(count) s"
  }
}
