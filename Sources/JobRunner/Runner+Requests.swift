import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Takes one line from a client; whatever is wrong with it is answered, and nobody else notices.
  func receive(_ arrival: Client.Arrival, from client: Client) {
    switch arrival.element {
    case .tooLong:
      let problem = "the line is longer than \(Limits.lineBytes) bytes"
      send(.error(id: nil, WireError(.badFrame, problem)), to: client)
    case .line(let bytes):
      do throws(RequestLineError) {
        let line = try RequestLine(line: bytes)
        let asker = RequestOrigin(client: client.number, id: line.id)
        serve(line.request, arrival, asker: asker, client: client)
      } catch {
        send(.error(id: error.id, error.error), to: client)
      }
    }
  }

  private func serve(
    _ request: Request, _ arrival: Client.Arrival, asker: RequestOrigin, client: Client
  ) {
    do throws(WireError) {
      switch request {
      case .submit(let submit):
        try self.submit(submit, arrival, asker: asker, client: client)
      case .submitMany(let many):
        try self.submit(many, arrival, asker: asker, client: client)
      case .list(let all, let brief):
        let last = cards.numbers.last ?? JobNumber(0)
        client.listings.append(
          Client.Listing(id: asker.id, lastLive: all ? nil : last, isBrief: brief))
      case .show(let reference):
        let object = try lookup.find(reference, isFresh: true)
        send(.ok(id: asker.id, .job(object, message: nil)), to: client)
      case .cancel(let reference, let now): try cancel(reference, now: now, asker: asker)
      case .cancelAll(let now, let range):
        var asker = asker
        asker.isCounted = range != nil
        ask(.cancelAll(tag(for: asker), now: now, in: range))
      case .pause(let reference, let keepSlot):
        let number = try lookup.live(reference)
        ask(.pause(tag(for: asker), number, keepsSlot: keepSlot))
      case .pauseAll(let keepSlot): ask(.pauseAll(tag(for: asker), keepsSlot: keepSlot))
      case .resume(let reference):
        let number = try lookup.live(reference)
        ask(.resume(tag(for: asker), number))
      case .resumeAll: ask(.resumeAll(tag(for: asker)))
      case .hold(let isHeld): try hold(isHeld, asker: asker)
      case .withdraw(let reference):
        let number = try lookup.live(reference)
        ask(.withdraw(tag(for: asker), number))
      case .answer(let reference, let continues):
        try answer(reference, continues: continues, asker: asker)
      case .simulate(let what, let reference): try simulate(what, reference, asker: asker)
      case .follow(let references, let attach, let brief):
        try follow(references, attach: attach, asker: asker, client: client)
        client.isBrief = brief
      case .followMany(let range): try follow(range, asker: asker, client: client)
      case .feed(let since, let hertz, let brief):
        try readFeed(since: since, hertz: hertz, asker: asker, client: client)
        client.isBrief = brief
      case .resources: report(to: asker)
      case .status: reportStatus(to: asker)
      case .stop(let restart): leave(restart: restart, asker: asker, client: client)
      case .redo(let reference, let force): try redo(reference, force: force, asker: asker)
      case .reload: try reload(asker: asker)
      case .history(let query):
        client.listings.append(Client.Listing(id: asker.id, history: query))
      case .host(let claim):
        let host = try hosted.hosts.process(claim.host, of: client)
        hosted.hosts.connect(host, by: client)
        send(.ok(id: asker.id, .empty), to: client)
        hosted.accept(claim, of: host)
      case .hostBegan(let number, let attempt):
        try hosted.hostBegan(number, attempt: attempt, client: client)
        send(.ok(id: asker.id, .empty), to: client)
      case .hostCompleted(let number, let attempt):
        try hosted.hostCompleted(number, attempt: attempt, client: client)
        send(.ok(id: asker.id, .empty), to: client)
      case .forget(let reference): try forget(reference, asker: asker, client: client)
      }
    } catch {
      send(.error(id: asker.id, error), to: client)
    }
    server.connections.markDirty(client)
  }

  /// Somebody has changed the settings and wants to hear what became of that.
  private func reload(asker: RequestOrigin) throws(WireError) {
    settings.read()
    if let problem = settings.problem { throw WireError(.usage, problem) }
    reportStatus(to: asker)
  }

  /// Nothing starts any more, or everything may again; durable before it is answered.
  private func hold(_ isHeld: Bool, asker: RequestOrigin) throws(WireError) {
    do throws(StoreError) {
      try store.transaction(.full) { () throws(StoreError) in try store.saveHeld(isHeld) }
    } catch {
      throw WireError(error.code, "that cannot be stored: \(error.message)")
    }
    ask(.hold(isHeld))
    settle()
    reportStatus(to: asker)
  }

  private func cancel(_ reference: JobReference, now: Bool, asker: RequestOrigin) throws(WireError)
  {
    let number = try lookup.live(reference)
    ask(.cancel(tag(for: asker), number, now: now))
  }

  private func answer(
    _ reference: JobReference, continues: Bool, asker: RequestOrigin
  ) throws(WireError) {
    let number = try lookup.live(reference)
    ask(.answer(tag(for: asker), number, continues: continues))
  }

  private func simulate(
    _ what: Request.SimulatedEvent, _ reference: JobReference, asker: RequestOrigin
  ) throws(WireError) {
    let number = try lookup.live(reference)
    switch what {
    case .expire: ask(.simulate(tag(for: asker), number, .expire))
    case .stall: ask(.simulate(tag(for: asker), number, .stall))
    case .launch: ask(.simulate(tag(for: asker), number, .launch))
    }
  }

  private func follow(
    _ references: [JobReference], attach: Bool, asker: RequestOrigin, client: Client
  ) throws(WireError) {
    var numbers: Set<JobNumber> = []
    for reference in references { numbers.insert(try lookup.find(reference).number) }
    server.unsubscribe(client)
    send(.ok(id: asker.id, .empty), to: client)
    server.follow(numbers, attach: attach, by: client)
  }

  private func follow(
    _ range: JobRange, asker: RequestOrigin, client: Client
  ) throws(WireError) {
    let tally = try lookup.tally(range)
    server.unsubscribe(client)
    send(.ok(id: asker.id, .tally(tally)), to: client)
    server.feed.follow(range, by: client)
  }

  private func readFeed(
    since: UInt64?, hertz: Int, asker: RequestOrigin, client: Client
  ) throws(WireError) {
    let first: UInt64
    do throws(StoreError) {
      first = try store.firstSequence()
    } catch {
      throw WireError(error.code, "the events cannot be read: \(error.message)")
    }
    server.unsubscribe(client)
    let interval = hertz > 0 ? Span.seconds(1) / UInt64(hertz) : nil
    send(.ok(id: asker.id, .empty), to: client)
    server.feed.read(by: client, since: since, from: first, progressEvery: interval)
  }

  private func forget(
    _ reference: JobReference, asker: RequestOrigin, client: Client
  ) throws(WireError) {
    let object = try lookup.find(reference)
    guard object.state == .ended else {
      throw WireError(
        .usage,
        "job \(object.number) has not ended; cancel it first: jobrun cancel \(object.number)")
    }
    if let left = hosted.hosts.lingering(object.number), let host = hosted.hosts[left.mark] {
      throw WireError(
        .usage,
        "job \(object.number) has ended, but process \(host.host.pid) still holds its resources;"
          + " forget it once that process has ended")
    }
    if endCommands.concerns(object.number) {
      throw WireError(
        .usage,
        "the on-end command of job \(object.number) is still running; forget the job once that has ended"
      )
    }
    do throws(StoreError) {
      _ = try store.transaction(.normal) { () throws(StoreError) in
        try store.remove(object.number)
      }
    } catch {
      throw WireError(error.code, "job \(object.number) cannot be removed: \(error.message)")
    }
    cleanup.removeAll(of: object.number)
    send(.ok(id: asker.id, .empty), to: client)
  }

  /// A fresh tag under which the core's answer finds its asker.
  ///
  /// Only for what the core is about to be asked: a tag that nothing answers would keep a client
  /// that has left from being forgotten.
  func tag(for asker: RequestOrigin) -> RequestTag {
    let tag = runtime.nextTag()
    server.connections.owe(asker, under: tag)
    return tag
  }
}
