import JobCore
import JobWire
import LinuxSystem

/// All connections: splits their input into lines, writes their output as they accept it, and limits the
/// pending bytes of each.
final class Connections {
  /// Callbacks about connections.
  struct Handlers {
    /// A line was received.
    var received: (Client.Arrival, Client) -> Void
    /// Bytes have been taken in, and lines of theirs may have been served.
    var read: () -> Void
    /// It sends no more: its subscriptions and hosted jobs end.
    var ended: (Client) -> Void
    /// It accepts more output than is prepared: lists, snapshots, past events.
    var fill: (Client) -> Void
    /// It has taken everything.
    var caughtUp: (Client) -> Void
    /// How many connections may be open at the same time.
    var limit: () -> Int
    /// This many bytes are no longer needed.
    var released: (Int) -> Void
    /// A sentence about a problem.
    var trouble: (String) -> Void
  }

  /// Inputs of jobs that came beside lines: each uses a descriptor, as a connection does.
  let openInputs = OpenInputs()
  private let loop: Reactor
  private let handlers: Handlers
  private var clients: [UInt64: Client] = [:]
  private var lastNumber: UInt64 = 0
  /// Clients with something to write.
  private var dirty: Set<UInt64> = []
  /// The origins of requests that wait for an answer of the core.
  private var origins: [RequestTag: RequestOrigin] = [:]

  init(loop: Reactor, handlers: Handlers) {
    self.loop = loop
    self.handlers = handlers
  }

  var count: Int { clients.count }
  var isEmpty: Bool { clients.isEmpty }
  var all: some Collection<Client> { clients.values }
  /// Whether a client has output to write.
  var isDirty: Bool { !dirty.isEmpty }

  subscript(number: UInt64) -> Client? { clients[number] }

  /// Accepts a connection; another user's is closed at once, and one beyond the limit after an error message.
  func accept(_ connection: consuming UnixConnection) {
    do throws(SystemError) {
      guard try connection.peer().user == CurrentProcess.userIdentifier else { return }
      guard clients.count < handlers.limit() else { return try turnAway(connection) }
      lastNumber += 1
      let number = lastNumber
      let client = Client(number: number, connection: connection)
      try loop.watch(client.connection.number) { [unowned self] ready in
        if let client = clients[number] { attend(to: client, ready) }
      }
      clients[number] = client
    } catch {
      handlers.trouble("a connection was dropped: \(error)")
    }
  }

  private func turnAway(_ connection: borrowing UnixConnection) throws(SystemError) {
    let problem =
      "the runner serves \(clients.count) connections, the most it may have open; close some"
    var bytes: [UInt8] = []
    ReplyLine.error(id: nil, WireError(.cannotCreate, problem)).append(to: &bytes)
    _ = try connection.send(bytes)
  }

  private func attend(to client: Client, _ ready: Readiness) {
    // It sends no more already, so a hang-up means that it reads no more either.
    if client.isHalfClosed, ready.isHangup { return drop(client) }
    if ready.isReadable || ready.isHangup { read(from: client) }
    if ready.isWritable { markDirty(client) }
  }

  /// Forgets a client and everything it is owed.
  func drop(_ client: Client) {
    guard clients.removeValue(forKey: client.number) != nil else { return }
    handlers.released(MemoryTrimmer.bytesOfOne)
    handlers.ended(client)
    dirty.remove(client.number)
    loop.remove(client.connection.number)
  }

  /// Frees the capacity of emptied dictionaries.
  func releaseCapacity() {
    if clients.isEmpty { clients = [:] }
    if origins.isEmpty { origins = [:] }
    if dirty.isEmpty { dirty = [] }
  }
}

// MARK: Reading

extension Connections {
  private func read(from client: Client) {
    // All that is there, as a submission with its descriptor is read alone; but a client that never
    // stops sending must not starve the others.
    for _ in 0..<Limits.receptionsAtOnce {
      let isMore = receive(from: client)
      guard clients[client.number] != nil, !client.isHalfClosed else { break }
      readLines(of: client)
      guard isMore, clients[client.number] != nil, !client.isHeld else { break }
    }
    handlers.read()
  }

  /// Receives once; whether there may be more.
  private func receive(from client: Client) -> Bool {
    var bytes: [UInt8] = []
    var isMore = false
    do throws(SystemError) {
      var reception = try client.connection.receive(into: &bytes)
      client.received += UInt64(bytes.count)
      // A reception with a descriptor ends where that was sent; otherwise it has as much as fits.
      isMore = bytes.count == UnixConnection.receptionBytes || reception.isIncomplete
      if reception.isIncomplete {
        client.attachments.append(
          Client.Attachment(position: client.received, content: nil, input: nil))
      } else if let descriptor = reception.takeDescriptor() {
        isMore = true
        // Unreadable content counts as not sent; the submission's answer reports that.
        let content = try? MemoryFile.content(
          of: descriptor, limit: Limits.launchSpecificationBytes)
        if let content {
          client.attachments.append(
            Client.Attachment(
              position: client.received, content: content,
              input: PassedInput(from: &reception, countedIn: openInputs)))
        }
      }
      if case .end = reception.reading {
        end(client)
        return false
      }
    } catch {
      drop(client)
      return false
    }
    client.lines.append(bytes)
    return isMore
  }

  /// The client sends no more.
  ///
  /// A pending list is still written; a subscription ends with it.
  private func end(_ client: Client) {
    client.isHalfClosed = true
    handlers.ended(client)
    guard client.isOwed else { return drop(client) }
    // The end of input stays readable for ever: a loop that watched it would never sleep.
    watch(client)
  }

  /// Takes the lines that a client has sent, as long as it takes the answers.
  private func readLines(of client: Client) {
    while clients[client.number] != nil, !owesTooMuch(to: client), let arrival = client.next() {
      handlers.received(arrival, client)
    }
    guard clients[client.number] != nil else { return }
    hold(client, owesTooMuch(to: client))
    boundEnclosures(of: client)
  }

  /// Whether no more of its requests are read for now.
  private func owesTooMuch(to client: Client) -> Bool {
    client.output.count >= answerRoom || client.unanswered >= Limits.requestsAtOnce
      || client.listings.count >= Limits.listsAtOnce
  }

  private func hold(_ client: Client, _ isHeld: Bool) {
    guard client.isHeld != isHeld else { return }
    client.isHeld = isHeld
    watch(client)
  }

  /// Only the last descriptor can belong to a line that is not complete; and the total held this
  /// way across connections is bounded.
  private func boundEnclosures(of client: Client) {
    guard !client.isHeld, !client.attachments.isEmpty else { return }
    client.attachments.removeFirst(client.attachments.count - 1)
    guard client.attachments.last?.input == nil || clients.count <= handlers.limit() else {
      handlers.trouble(
        "a connection was closed: its pipe came before the rest of its line, and no more may wait")
      return drop(client)
    }
    let waiting = clients.values.reduce(0) { sum, client in
      sum + client.attachments.reduce(0) { $0 + ($1.content?.count ?? 0) }
    }
    guard waiting > Limits.enclosedBytes else { return }
    handlers.trouble(
      "a connection was closed: \(waiting) bytes came before the rest of their lines")
    drop(client)
  }

  private func watch(_ client: Client) {
    do throws(SystemError) {
      try loop.change(client.connection.number, to: client.interest)
    } catch {
      drop(client)
    }
  }
}

// MARK: Writing

extension Connections {
  /// Has the client written to as soon as possible.
  func markDirty(_ client: Client) { dirty.insert(client.number) }

  /// Appends a reply to the client's output.
  func send(_ line: ReplyLine, to client: Client) {
    client.output.append { line.append(to: &$0) }
    markDirty(client)
  }

  /// Appends a line to a client's output, if it is still connected.
  func send(_ line: HostLine, to number: UInt64) {
    guard let client = clients[number] else { return }
    client.output.append { line.append(to: &$0) }
    markDirty(client)
  }

  /// Writes the pending output of clients, as far as they accept it.
  func flush() {
    while let number = dirty.popFirst() {
      guard let client = clients[number] else { continue }
      handlers.fill(client)
      write(to: client)
    }
  }

  private func write(to client: Client) {
    do throws(SystemError) {
      // A reader that keeps up with a long list must not keep the loop from all others.
      for _ in 0..<Limits.sendsAtOnce where !client.output.isEmpty {
        guard let count = try client.connection.send(client.output.pending) else { break }
        client.output.consume(count)
        handlers.released(count)
        if client.output.isEmpty { handlers.fill(client) }
      }
    } catch {
      return drop(client)
    }
    if client.awaitsRoom == client.output.isEmpty {
      client.awaitsRoom = !client.output.isEmpty
      watch(client)
    }
    client.output.releaseCapacity()
    if client.output.isEmpty { handlers.caughtUp(client) }
    if client.isHeld { readLines(of: client) }
    if client.isHalfClosed, !client.isOwed { drop(client) }
  }

  /// Unsent answers that a client may have before it has to take some, in bytes.
  var answerRoom: Int { room(atMost: Limits.answerBytes) }

  /// Unsent lines of the feed that a client may have, in bytes.
  var subscriberRoom: Int { room(atMost: Limits.subscriberBufferBytes) }

  /// All clients share the limit.
  private func room(atMost most: Int) -> Int {
    max(Limits.minimumUnsentBytes, min(most, Limits.unsentBytes / max(1, clients.count)))
  }
}

// MARK: Answers that come later

extension Connections {
  /// The answer to this request comes later.
  func registerPending(_ origin: RequestOrigin) { clients[origin.client]?.unanswered += 1 }

  /// Takes the client that waits for an answer; nil when it has disconnected.
  func completePending(to origin: RequestOrigin) -> Client? {
    guard let client = clients[origin.client] else { return nil }
    client.unanswered -= 1
    markDirty(client)
    return client
  }

  /// The answer comes later, under this tag.
  func registerPending(_ origin: RequestOrigin, under tag: RequestTag) {
    origins[tag] = origin
    registerPending(origin)
  }

  /// Takes the client and origin that wait for the answer under this tag.
  func completePending(under tag: RequestTag) -> (client: Client, origin: RequestOrigin)? {
    guard let origin = origins.removeValue(forKey: tag), let client = completePending(to: origin)
    else {
      return nil
    }
    return (client, origin)
  }
}
