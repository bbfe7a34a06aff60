import JobCore
import JobRuntime
import JobWire

// What a process that hosts jobs asks for.
extension Runner {
  /// A process makes itself known: what it runs goes on, what it does not run any more is over, and
  /// what waited for it is offered.
  func host(_ claim: HostClaim, asker: RequestOrigin, client: Client) throws(WireError) {
    let host = try hosts.process(claim.host, of: client)
    hosts.connect(host, by: client)
    send(.ok(id: asker.id, .empty), to: client)
    let running = Set(claim.running)
    for number in host.jobs.sorted() {
      settle(number, of: host, isRunning: running.contains(number))
    }
    for number in claim.running + claim.waiting where !host.jobs.contains(number) {
      hosts.tell(.ended(number), to: host)
    }
  }

  private func settle(_ number: JobNumber, of host: HostProcess, isRunning: Bool) {
    guard let live = attempts[number] else {
      if hosts.lingering(number) != nil, !isRunning { hostedCompleted(number) }
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
}
