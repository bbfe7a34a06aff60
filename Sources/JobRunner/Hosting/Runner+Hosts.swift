import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

// Processes that host jobs: who they are, whether they listen, and when they are gone.
extension Runner {
  /// The process at the other end, under its mark.
  ///
  /// - Throws: `notPermitted` when it cannot be known for certain, or the mark is another's.
  func hostProcess(_ mark: String, of client: Client) throws(WireError) -> HostProcess {
    guard let pid = try? client.connection.peer().pid, let identity = ProcessIdentity(pid: pid)
    else {
      throw WireError(
        .notPermitted,
        "the process that hosts the job is in another process namespace and cannot be watched;"
          + " use jobrun submit, or share the namespace")
    }
    if let known = hosts[mark] {
      guard known.host.identity == identity else {
        throw WireError(.notPermitted, "the mark belongs to process \(known.host.pid)")
      }
      return known
    }
    do throws(SystemError) {
      return try watch(JobRow.Host(mark: mark, identity))
    } catch {
      throw WireError(.notPermitted, "process \(pid) cannot be watched: \(error.reason)")
    }
  }

  /// Hears of the end of a host from now on; throws when it is gone already.
  func watch(_ host: JobRow.Host) throws(SystemError) -> HostProcess {
    if let known = hosts[host.mark], known.host == host { return known }
    let process = try ProcessDescriptor(host.identity)
    lastHost += 1
    let serial = lastHost
    try loop.watch(process.number) { [unowned self] _ in hostEnded(serial) }
    let watched = HostProcess(serial: lastHost, host: host, process: process)
    watched.missedSince = clock()
    hosts[host.mark] = watched
    return watched
  }

  /// A process makes itself known: what it runs goes on, what it does not run any more is over, and
  /// what waited for it is offered.
  func host(_ claim: HostClaim, asker: Asker, client: Client) throws(WireError) {
    let host = try hostProcess(claim.host, of: client)
    host.client = client.number
    host.missedSince = nil
    send(.ok(id: asker.id, .empty), to: client)
    let running = Set(claim.running)
    for number in host.jobs.sorted() {
      settle(number, of: host, isRunning: running.contains(number))
    }
    for number in claim.running + claim.waiting where !host.jobs.contains(number) {
      tell(.ended(number), to: host)
    }
  }

  private func settle(_ number: JobNumber, of host: HostProcess, isRunning: Bool) {
    guard let live = attempts[number] else {
      if remains[number] != nil, !isRunning { hostedCompleted(number) }
      return
    }
    if isRunning {
      if !live.hasStarted { hostedBegan(number, live) }
    } else if live.hasStarted {
      hostedCompleted(number)
    } else {
      offer(number, live, to: host)
    }
  }

  /// The process listens no longer on this connection; it may come back on another.
  func loseHost(_ client: Client) {
    for host in hosts.values where host.client == client.number {
      host.client = nil
      host.missedSince = clock()
      dismissIfIdle(host)
    }
  }

  func tell(_ line: HostLine, to host: HostProcess) {
    guard let client = host.client.flatMap({ connections[$0] }) else { return }
    client.output.append { line.append(to: &$0) }
    connections.markDirty(client)
  }

  /// Forgets a process that neither hosts nor listens.
  func dismissIfIdle(_ host: HostProcess) {
    guard host.jobs.isEmpty, host.client == nil,
      !runtime.drafts.concern(host.host)
    else { return }
    forget(host)
  }

  private func forget(_ host: HostProcess) {
    loop.remove(host.process.number)
    hosts[host.host.mark] = nil
  }

  /// A process is gone, and with it all that it hosted.
  func hostEnded(_ serial: UInt64) {
    guard let host = hosts.values.first(where: { $0.serial == serial }) else { return }
    for number in host.jobs.sorted() {
      hostedProcessEnded(
        number, "process \(host.host.pid), which was to run it, has ended")
    }
    forget(host)
  }

  /// When the waiting jobs of a missing host are given up; nil = none is missing.
  var nextHostLoss: Instant? { hosts.values.compactMap(\.giveUpDue).min() }

  func giveUpHosts(at now: Instant) {
    let span = HostProcess.patience.words
    for host in hosts.values where host.giveUpDue.map({ $0 <= now }) ?? false {
      host.missedSince = nil
      for number in host.jobs.sorted() where cards[number] != nil {
        let why =
          "process \(host.host.pid), which was to run it, has not been heard of for \(span)"
        inbox.append(.hostLost(number, why))
      }
    }
  }
}
