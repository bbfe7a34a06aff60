internal import JobFiles

// What a response brings: whether it continues the part that is there or begins the file anew, and its bytes.
extension Fetching {
  /// Files of this size or more are fetched in pieces.
  private static let largeBytes: Int64 = 64_000_000
  private static let defaultConnections = 4
  private static let maximumRedirectBytes: Int64 = 64 << 10

  /// Returns whether the connection goes on.
  func take(_ bytes: UnsafeRawBufferPointer, from connection: Connection) -> Bool {
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
    let piece = state.notes.pieces[index]
    let count = min(bytes.count, Int(clamping: piece.missing ?? .max))
    let own = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
    if let number = unsafe part.put(own, at: piece.next) {
      throw .final(.target(part.path, "\(Report.reason(number)); jobrun redo continues with it"))
    }
    state.notes.pieces[index].done += Int64(count)
    if count < bytes.count, piece.end == state.notes.total { try refuseExcess() }
    return count == bytes.count
  }

  /// A body that is longer than its server said is invalid; a program gets the announced length.
  func refuseExcess() throws(Refusal) {
    guard plan.options.answer == nil, let total = state.notes.total else { return }
    throw .final(
      .content(part.path, "the server sends more than the \(total) bytes that it announced"))
  }

  /// Checks whether the response matches the request and the received data.
  func accept(_ connection: Connection) throws(Refusal) {
    connection.isAccepted = true
    redirects[connection.piece] = nil
    let head = connection.head
    switch (head.status, connection.isForRange) {
    case (200, false): try begin(connection)
    case (200..<300, false) where plan.method != .get: try begin(connection)
    case (206, true):
      let next = state.notes.pieces[connection.piece].next
      if let fault = state.notes.takePart(head, at: next) { throw .restart(fault) }
      // Another process of the program had started the transfer.
      if let answer = plan.options.answer, !answer.isThere {
        answer.note(head, at: connection.effectiveAddress)
      }
    case (200, true):
      if !head.knowsRanges { state.notes.refusesRanges = true }
      let isSame = head.validator == state.notes.validator
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
      state.notes.name = name?.description
      state.notes.validator = isUnpacked || plan.method != .get ? nil : head.validator
      state.notes.total = length
      if let encoding = head.encoding, !isUnpacked {
        state.notes.encoding = encoding
        try check(encoding, plan.target(serverName: name))
      }
      state.notes.promisedDigest = isUnpacked ? nil : head.promisedDigest
      state.notes.pieces[connection.piece].end = length
      if state.notes.validator != nil { split(head) }
      try state.keepAtOnce()
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
    guard let first = state.notes.pieces.first, let missing = first.missing,
      head.knowsRanges, !state.notes.refusesRanges, head.validator != nil
    else { return }
    // A limited rate needs no more than one.
    let usual =
      missing >= Self.largeBytes && plan.options.speed == nil ? Self.defaultConnections : 1
    state.notes.pieces = Piece.split(first, into: plan.connections ?? usual)
  }
}
