import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Takes every connection that waits; another user's is closed at once.
  func acceptClients() {
    do throws(SystemError) {
      while let connection = try listener.accept() { take(connection) }
    } catch {
      // What waits keeps the listener readable: without a pause the loop would never sleep.
      note("no connection can be taken: \(error)")
      watchListener([])
      acceptAgainAt = clock() + .seconds(1)
    }
  }

  private func take(_ connection: consuming UnixConnection) {
    do throws(SystemError) {
      guard try connection.peer().user == CurrentProcess.userIdentifier else { return }
      guard clients.count < connectionLimit else { return try turnAway(connection) }
      lastClient += 1
      let client = Client(number: lastClient, connection: connection)
      let number = lastClient
      try loop.watch(client.connection.number) { [unowned self] ready in
        attend(toClient: number, ready)
      }
      clients[client.number] = client
    } catch {
      note("a connection was dropped: \(error)")
    }
  }

  /// Tells one client too many why it is not served.
  private func turnAway(_ connection: borrowing UnixConnection) throws(SystemError) {
    let problem =
      "the runner serves \(clients.count) connections, as many as it may have open; close some"
    var bytes: [UInt8] = []
    ReplyLine.error(id: nil, WireError(.cannotCreate, problem)).append(to: &bytes)
    _ = try connection.send(bytes)
  }

  /// Listens again after a pause.
  func acceptAgain() {
    acceptAgainAt = nil
    watchListener(.readable)
  }

  private func watchListener(_ interest: Interest) {
    do throws(SystemError) {
      try loop.change(listener.number, to: interest)
    } catch {
      note("\(error)")
    }
  }

  func attend(toClient number: UInt64, _ ready: Readiness) {
    guard let client = clients[number] else { return }
    // It sends no more already, so a hang-up means that it reads no more either.
    if client.isHalfClosed, ready.isHangup { return drop(client) }
    if ready.isReadable || ready.isHangup { read(from: client) }
    if ready.isWritable { markDirty(client) }
  }

  private func read(from client: Client) {
    // One read a turn: a client that never stops sending must not starve the others.
    var bytes: [UInt8] = []
    do throws(SystemError) {
      var reception = try client.connection.receive(into: &bytes)
      client.received += UInt64(bytes.count)
      if let descriptor = reception.takeDescriptor() {
        // What cannot be read counts as not sent; the submission's answer says so.
        let content = try? MemoryFile.content(
          of: descriptor, limit: Limits.launchSpecificationBytes)
        if let content {
          client.enclosures.append(
            Client.Enclosure(
              position: client.received, content: content,
              input: PassedInput(from: &reception)))
        }
      }
      if case .end = reception.reading { return end(client) }
    } catch {
      return drop(client)
    }
    client.lines.append(bytes)
    takeLines(of: client)
    // In one turn a crowd may submit more than memory has room for.
    if submittedBytes > Limits.submittedBytesAtOnce { settle() }
  }

  /// The client sends no more.
  ///
  /// A pending list is still written; a subscription ends with it.
  private func end(_ client: Client) {
    client.isHalfClosed = true
    unsubscribe(client)
    loseHost(client)
    guard isOwed(client) else { return drop(client) }
    do throws(SystemError) {
      // The end stays readable for ever: who still listened for it would never sleep.
      try watch(client)
    } catch {
      drop(client)
    }
  }

  /// Whether anything is still to be sent in answer to its requests.
  private func isOwed(_ client: Client) -> Bool {
    !client.output.isEmpty || !client.listings.isEmpty || !client.snapshots.isEmpty
      || client.unanswered > 0
  }

  /// Forgets a client and everything it is owed.
  func drop(_ client: Client) {
    guard clients.removeValue(forKey: client.number) != nil else { return }
    memory.note(MemoryKeeper.bytesOfOne)
    unsubscribe(client)
    loseHost(client)
    dirty.remove(client.number)
    loop.remove(client.connection.number)
  }

  func markDirty(_ client: Client) { dirty.insert(client.number) }

  /// Writes what clients are owed, as far as they take it.
  func flush() {
    while let number = dirty.popFirst() {
      guard let client = clients[number] else { continue }
      fill(client)
      write(to: client)
    }
  }

  private func write(to client: Client) {
    do throws(SystemError) {
      // A reader that keeps up with a long list must not keep the loop from all others.
      for _ in 0..<Limits.sendsAtOnce where !client.output.isEmpty {
        guard let count = try client.connection.send(client.output.pending) else { break }
        client.output.consume(count)
        memory.note(count)
        if client.output.isEmpty { fill(client) }
      }
      try awaitRoom(!client.output.isEmpty, for: client)
    } catch {
      return drop(client)
    }
    if client.output.isEmpty { resynchronise(client) }
    if client.isHeld { takeLines(of: client) }
    if client.isHalfClosed, !isOwed(client) { drop(client) }
  }

  private func awaitRoom(_ room: Bool, for client: Client) throws(SystemError) {
    guard client.awaitsRoom != room else { return }
    client.awaitsRoom = room
    try watch(client)
  }

  func watch(_ client: Client) throws(SystemError) {
    var interest: Interest = client.isHalfClosed || client.isHeld ? [] : .readable
    if client.awaitsRoom { interest.insert(.writable) }
    try loop.change(client.connection.number, to: interest)
  }

  /// Adds what is read from the store as the client takes it: lists, and the feed's past.
  private func fill(_ client: Client) {
    while client.output.count < answerRoom {
      if client.replayedTo != nil { replayMore(to: client) }
      if !client.snapshots.isEmpty { snapshotMore(to: client) }
      if !client.listings.isEmpty { listMore(to: client) }
      if client.replayedTo == nil, client.snapshots.isEmpty, client.listings.isEmpty { return }
    }
  }

  private func listMore(to client: Client) {
    guard var listing = client.listings.first else { return }
    do throws(StoreError) {
      let isDone = try write(&listing, to: client)
      client.listings[0] = listing
      guard isDone else { return }
      send(.ok(id: listing.id, .count(listing.count)), to: client)
    } catch {
      let problem = "the list cannot be read: \(error.message)"
      send(.error(id: listing.id, WireError(.internal, problem)), to: client)
    }
    client.listings.removeFirst()
  }

  /// Writes one page of a list; whether it was the last.
  private func write(
    _ listing: inout Client.Listing, to client: Client
  ) throws(StoreError) -> Bool {
    let (objects, isLast) = try page(of: &listing)
    for object in objects {
      client.output.append { ReplyLine.job(id: listing.id, object).append(to: &$0) }
    }
    listing.count += objects.count
    return isLast
  }

  /// The next jobs in ascending order, live ones as they are now, ended ones as stored; and whether they
  /// are the last.
  private func page(
    of listing: inout Client.Listing
  ) throws(StoreError) -> ([JobObject], isLast: Bool) {
    if let query = listing.history {
      let objects = try page(of: query, &listing)
      return (objects, objects.isEmpty)
    }
    if let named = listing.named {
      let numbers = named.suffix(Limits.listPage)
      listing.named = named.dropLast(numbers.count)
      let objects = numbers.reversed().compactMap { freshObject(of: $0) ?? stored($0) }
      return (objects, numbers.count < Limits.listPage)
    }
    if let last = listing.lastLive {
      let numbers = cards.numbers.page(after: listing.after, limit: Limits.listPage)
        .prefix { $0 <= last }
      listing.after = numbers.last ?? last
      return (numbers.compactMap { freshObject(of: $0) }, numbers.count < Limits.listPage)
    }
    let rows = try store.jobs(endedToo: true, after: listing.after, limit: Limits.listPage)
    listing.after = rows.last?.number ?? listing.after
    let objects = rows.map { freshObject(of: $0.number) ?? $0.object(places: home.places) }
    return (objects, rows.count < Limits.listPage)
  }
}
