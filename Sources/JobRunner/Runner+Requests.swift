import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Takes one line from a client; an error in it is answered, and affects no other client.
  func receive(_ arrival: Client.Arrival, from client: Client) {
    switch arrival.element {
    case .tooLong:
      let problem = "the line is longer than \(Limits.lineBytes) bytes"
      send(.error(id: nil, WireError(.badFrame, problem)), to: client)
    case .line(let bytes):
      do throws(RequestLineError) {
        let line = try RequestLine(line: bytes)
        let origin = RequestOrigin(client: client.number, id: line.id)
        serve(line.request, arrival, origin: origin, client: client)
      } catch {
        send(.error(id: error.id, error.error), to: client)
      }
    }
  }

  private func serve(
    _ request: Request, _ arrival: Client.Arrival, origin: RequestOrigin, client: Client
  ) {
    do throws(WireError) {
      switch request {
      case .submit(let submit):
        try self.submit(submit, arrival, origin: origin, client: client)
      case .submitMany(let many):
        try self.submit(many, arrival, origin: origin, client: client)
      case .list(let all, let brief, let group, let folded):
        list(all, brief, group, folds: folded && brief && !all, origin, client)
      case .show(let reference):
        var object = try lookup.find(reference, isFresh: true)
        object.terms.awaitedBy = JobStatus.Terms.shown(core.waiting(for: object.number))
        send(.ok(id: origin.id, .job(object, message: nil)), to: client)
      case .cancel(let jobs, let now, let reason, let signal):
        let why = reason.map { StopReason(.user, $0) } ?? .requested
        try cancel(jobs, now: now, why, signal, origin: origin)
      case .pause(let jobs, let keepSlot, let length):
        try pause(jobs, keepsSlot: keepSlot, length: length, origin: origin)
      case .resume(let jobs): try resume(jobs, origin: origin)
      case .pauseRunner(let isPaused): try pauseRunner(isPaused, origin: origin)
      case .pauseGroup(let group, let isPaused):
        try pauseGroup(group, isPaused)
        confirm(origin, client)
      case .start(let reference): try start(reference, origin: origin)
      case .withdraw(let reference): ask(.withdraw(tag(for: origin), try lookup.live(reference)))
      case .answer(let reference, let continues):
        try answer(reference, continues: continues, origin: origin)
      case .simulate(let what, let reference): try simulate(what, reference, origin: origin)
      case .terminal(let reference): try showTerminal(of: reference, origin, client)
      case .follow(let references, let attach, let brief):
        try follow(references, attach: attach, origin: origin, client: client)
        client.isBrief = brief
      case .followMany(let some): try follow(some, origin: origin, client: client)
      case .feed(let since, let hertz, let brief):
        try readFeed(since: since, hertz: hertz, origin: origin, client: client)
        client.isBrief = brief
      case .resources(nil): report(to: origin)
      case .resources(let engine?): try report(on: engine, to: origin)
      case .status: reportStatus(to: origin)
      case .stop(let restart, let discard): leave(restart, discard, origin, client)
      case .redo(let reference, let force, let hold, let wanted):
        try redo(reference, force: force, hold: hold, wanted, origin: origin)
      case .hold(let reference): try hold(reference, origin: origin)
      case .release(let reference): try release(reference, origin: origin)
      case .move(let reference, let target): try move(reference, behind: target, origin: origin)
      case .edit(let reference, let wanted): try edit(reference, wanted, origin: origin)
      case .reload: try reload(origin: origin)
      case .stayAwake: stayAwake(for: client, origin)
      case .notify(let title, let body): notify(title, body, origin, client)
      case .history(let query):
        client.listings.append(Client.Listing(id: origin.id, history: query))
      case .host(let claim): try host(claim, origin: origin, client: client)
      case .hostBegan(let number, let attempt):
        try hosted.hostBegan(number, attempt: attempt, client: client)
        confirm(origin, client)
      case .hostCompleted(let number, let attempt):
        try hosted.hostCompleted(number, attempt: attempt, client: client)
        confirm(origin, client)
      case .hostPaused(let number, let isPaused):
        try hostPaused(number, isPaused, client: client)
        confirm(origin, client)
      case .forget(let reference): try forget(reference, origin: origin, client: client)
      }
    } catch {
      send(.error(id: origin.id, error), to: client)
    }
    server.connections.markDirty(client)
  }

  private func confirm(_ origin: RequestOrigin, _ client: Client) {
    send(.ok(id: origin.id, .empty), to: client)
  }

  private func list(
    _ all: Bool, _ brief: Bool, _ group: GroupName?, folds: Bool, _ origin: RequestOrigin,
    _ client: Client
  ) {
    let last = all ? nil : liveJobs.numbers.last ?? JobNumber(0)
    client.listings.append(
      .init(id: origin.id, lastLive: last, group: group, isBrief: brief, folds: folds))
  }

  private func host(
    _ claim: HostClaim, origin: RequestOrigin, client: Client
  ) throws(WireError) {
    let host = try hosted.hosts.process(claim.host, of: client)
    hosted.hosts.connect(host, by: client)
    send(.ok(id: origin.id, .empty), to: client)
    hosted.accept(claim, of: host)
  }

  /// A client has changed the settings and asks for the result.
  private func reload(origin: RequestOrigin) throws(WireError) {
    settings.read()
    if let problem = settings.problem { throw WireError(.usage, problem) }
    subscriptions.lookAgain()
    reportStatus(to: origin)
  }

  /// Nothing starts any more, or everything may again; durable before it is answered.
  private func pauseRunner(_ isPaused: Bool, origin: RequestOrigin) throws(WireError) {
    do throws(StoreError) {
      try store.transaction(.full) { () throws(StoreError) in try store.saveHeld(isPaused) }
    } catch {
      throw WireError(error.code, "that cannot be stored: \(error.message)")
    }
    ask(.pauseRunner(isPaused))
    settle()
    reportStatus(to: origin)
  }

  /// `signal`: the one that asks the job to end; nil = SIGTERM.
  private func cancel(
    _ jobs: JobTarget, now: Bool, _ reason: StopReason, _ signal: Int32?, origin: RequestOrigin
  ) throws(WireError) {
    if case .one(let reference) = jobs {
      let number = try lookup.live(reference)
      if let signal { try choose(signal, for: number) }
      return ask(.cancel(tag(for: origin), number, now: now, because: reason))
    }
    var origin = origin
    if let signal {
      for number in liveJobs.numbers.elements
      where jobs.selection?.contains(number, of: liveJobs[number]?.submission.options.group)
        ?? true
      {
        // Those that get none are stopped as they always are.
        try? choose(signal, for: number)
      }
    }
    origin.isCounted = jobs.selection != nil
    ask(.cancelAll(tag(for: origin), now: now, in: jobs.selection, because: reason))
  }

  private func choose(_ signal: Int32, for number: JobNumber) throws(WireError) {
    guard liveJobs[number]?.host == nil, liveJobs[number]?.engine == nil else {
      throw WireError(
        .usage,
        "job \(number) does not run as a process tree on this machine; leave out the signal")
    }
    local.choose(signal, for: number)
  }

  private func answer(
    _ reference: JobReference, continues: Bool, origin: RequestOrigin
  ) throws(WireError) {
    let number = try lookup.live(reference)
    ask(.answer(tag(for: origin), number, continues: continues))
  }

  private func simulate(
    _ what: Request.SimulatedEvent, _ reference: JobReference, origin: RequestOrigin
  ) throws(WireError) {
    let number = try lookup.live(reference)
    switch what {
    case .expire: ask(.simulate(tag(for: origin), number, .expire))
    case .stall: ask(.simulate(tag(for: origin), number, .stall))
    case .launch: ask(.simulate(tag(for: origin), number, .launch))
    }
  }

  private func follow(
    _ references: [JobReference], attach: Bool, origin: RequestOrigin, client: Client
  ) throws(WireError) {
    var numbers: Set<JobNumber> = []
    for reference in references { numbers.insert(try lookup.find(reference).number) }
    server.unsubscribe(client)
    send(.ok(id: origin.id, .empty), to: client)
    server.follow(numbers, attach: attach, by: client)
  }

  private func follow(
    _ some: JobSelection, origin: RequestOrigin, client: Client
  ) throws(WireError) {
    let tally = try lookup.tally(some)
    server.unsubscribe(client)
    send(.ok(id: origin.id, .tally(tally)), to: client)
    server.feed.follow(some, by: client)
  }

  private func readFeed(
    since: UInt64?, hertz: Int, origin: RequestOrigin, client: Client
  ) throws(WireError) {
    let first: UInt64
    do throws(StoreError) {
      first = try store.firstSequence()
    } catch {
      throw WireError(error.code, "the events cannot be read: \(error.message)")
    }
    server.unsubscribe(client)
    let interval = hertz > 0 ? Interval.seconds(1) / UInt64(hertz) : nil
    send(.ok(id: origin.id, .empty), to: client)
    server.feed.read(by: client, since: since, from: first, progressEvery: interval)
  }

  private func forget(
    _ reference: JobReference, origin: RequestOrigin, client: Client
  ) throws(WireError) {
    var object = try lookup.find(reference)
    if runtime.hasUnstoredEnd(object.number) {
      // Its log may be what has filled the disk.
      cleanup.removeOutput(of: object.number)
      runtime.retryNow()
      settle()
      object = try lookup.find(.number(object.number))
      guard object.state == .ended else { throw unstoredEnd(of: object.number) }
    }
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
      try remove(object.number)
    } catch {
      throw WireError(error.code, "job \(object.number) cannot be removed: \(error.message)")
    }
    send(.ok(id: origin.id, .empty), to: client)
  }

  /// Removes the record, the output and the state folder of an ended job.
  func remove(_ number: JobNumber) throws(StoreError) {
    let isSecret = try store.job(number)?.details.hidesCommand ?? false
    _ = try store.transaction(.normal) { () throws(StoreError) in
      try store.remove(number, isSecret: isSecret)
    }
    if isSecret { try storage.emptyLog() }
    cleanup.removeAll(of: number)
  }

  private func unstoredEnd(of number: JobNumber) -> WireError {
    WireError(
      .cannotCreate,
      "job \(number) has ended, and that cannot be stored yet: \(runtime.trouble);"
        + " its log was removed")
  }

  /// A fresh tag under which the core's answer finds its origin.
  ///
  /// Only for what the core is about to be asked: a tag that nothing answers would keep a client
  /// that has left from being forgotten.
  func tag(for origin: RequestOrigin) -> RequestTag {
    let tag = runtime.nextTag()
    server.connections.registerPending(origin, under: tag)
    return tag
  }
}
