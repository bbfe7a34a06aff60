import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// The attempts of hosted jobs: offered to a process, watched through their pages, never killed.
extension Runner {
  /// Makes the page of an attempt and offers it to its process.
  func launchHosted(_ number: JobNumber, attempt: Int) {
    guard let card = cards[number], let owner = card.host else { return }
    guard let host = hosts[owner.mark] else {
      let end = RunEnd(status: .hostEnded)
      return inbox.append(.finished(number, attempt: attempt, end))
    }
    let live = hostedAttempt(card, attempt: attempt)
    do {
      try PageFile.create(
        live.pagePath, number: number.value, attempt: UInt64(attempt), title: card.title,
        subtitle: card.subtitle)
      try PrivateDirectory.prepare(home.places.jobState(number))
    } catch {
      let end = RunEnd(status: .cannotStart("job \(number) cannot be started: \(error)"))
      return inbox.append(.finished(number, attempt: attempt, end))
    }
    live.openPage()
    attempts[number] = live
    offer(number, live, to: host)
  }

  func hostedAttempt(_ card: LiveJob, attempt: Int) -> Attempt {
    Attempt(
      number: card.number, attempt: attempt, token: card.token(attempt: attempt),
      recordPath: home.places.runRecord(card.number, attempt: attempt),
      pagePath: home.page(card.number, attempt: attempt), isChild: false)
  }

  /// Tells the process that it is the job's turn; one that is away hears it when it comes back.
  func offer(_ number: JobNumber, _ live: Attempt, to host: HostProcess) {
    guard let card = cards[number] else { return }
    hosts.tell(
      .launch(
        HostedLaunch(
          number: number, attempt: live.attempt, identifier: card.submission.identifier.text,
          page: live.pagePath, gpus: card.gpus,
          stateDirectory: home.places.jobState(number))),
      to: host)
  }

  /// The job that this client may speak for.
  func hosted(_ number: JobNumber, by client: Client) throws(WireError) -> HostProcess? {
    let mark = cards[number]?.host?.mark ?? hosts.lingering(number)?.mark
    guard let host = mark.flatMap({ hosts[$0] }) else { return nil }
    guard (try? client.connection.peer().pid) == host.host.pid else {
      throw WireError(.notPermitted, "job \(number) is hosted by process \(host.host.pid)")
    }
    return host
  }

  func hostBegan(
    _ number: JobNumber, attempt: Int, asker: RequestOrigin, client: Client
  ) throws(WireError) {
    if try hosted(number, by: client) != nil, let live = attempts[number],
      live.attempt == attempt, !live.hasStarted
    {
      hostedBegan(number, live)
    }
    send(.ok(id: asker.id, .empty), to: client)
  }

  func hostCompleted(
    _ number: JobNumber, attempt: Int, asker: RequestOrigin, client: Client
  ) throws(WireError) {
    if try hosted(number, by: client) != nil,
      attempts[number]?.attempt ?? hosts.lingering(number)?.attempt == attempt
    {
      hostedCompleted(number)
    }
    send(.ok(id: asker.id, .empty), to: client)
  }

  func hostedBegan(_ number: JobNumber, _ live: Attempt) {
    live.hasStarted = true
    let host = cards[number]?.host
    cards[number]?.workerPID = host?.pid
    inbox.append(.started(number, attempt: live.attempt))
  }

  /// The task says that it is complete, or its process knows nothing of it any more.
  func hostedCompleted(_ number: JobNumber) {
    if let live = attempts[number] { return finishHosted(live, .completed) }
    guard let left = hosts.lingering(number) else { return }
    inbox.append(.finished(number, attempt: left.attempt, RunEnd(status: .completed)))
  }

  /// The process is gone: what it ran is over, and what waited for it will never run.
  func hostedProcessEnded(_ number: JobNumber, _ why: String) {
    if let live = attempts[number] { return finishHosted(live, .hostEnded) }
    if let left = hosts.lingering(number) {
      inbox.append(.finished(number, attempt: left.attempt, RunEnd(status: .hostEnded)))
    } else {
      inbox.append(.hostLost(number, why))
    }
  }

  /// The grace is over: the work ends for people, whatever its process does.
  func endGrace(of live: Attempt) {
    finishHosted(live, .outlives)
  }

  private func finishHosted(_ live: Attempt, _ status: RunEnd.Status) {
    sample(live.number)
    let page = live.page()
    var end = RunEnd(status: status, declared: RunEnd.Declared(page))
    end.sample = cards[live.number]?.sample ?? PageSample()
    attempts[live.number] = nil
    cards[live.number]?.take(page, status)
    // A task that ended at once may have been quicker than the news of its start.
    if !live.hasStarted, end.declared != .nothing {
      inbox.append(.started(live.number, attempt: live.attempt))
    }
    inbox.append(.finished(live.number, attempt: live.attempt, end))
  }

  /// Forgets an ended hosted job, or keeps what its process still holds.
  func retireHosted(_ number: JobNumber, _ card: LiveJob, by owner: StoredJob.Host) {
    guard let host = hosts[owner.mark] else {
      return cleanup.removeAttempts(of: number, count: card.attempt)
    }
    hosts.tell(.ended(number), to: host)
    if core.isLingering(number) {
      hosts.keep(LingeringHost(mark: owner.mark, attempt: card.attempt), for: number)
    } else {
      cleanup.removeAttempts(of: number, count: card.attempt)
      hosts.leave(number, host)
    }
  }

  /// Nothing is held any more for a job that had ended.
  func released(_ number: JobNumber) {
    guard let left = hosts.release(number) else { return }
    cleanup.removeAttempts(of: number, count: left.attempt)
  }
}

extension LiveJob {
  /// The words that a hosted task leaves on its page, or what is to be said in their place.
  fileprivate mutating func take(_ page: PageSnapshot, _ status: RunEnd.Status) {
    if !page.message.isEmpty { message = page.message }
    if !page.title.isEmpty { title = page.title }
    if !page.subtitle.isEmpty { subtitle = page.subtitle }
    let pid = host?.pid ?? 0
    if status == .hostEnded, page.outcome == .none {
      message = "process \(pid), in which it ran, ended without saying how the work went"
    } else if status == .outlives, page.outcome == .none {
      warning =
        "its work goes on in process \(pid), which is never killed;"
        + " what it holds stays taken until it completes or that process ends"
    }
  }
}
