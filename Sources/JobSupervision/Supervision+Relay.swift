package import JobPage
internal import LinuxSystem

// On a machine that the runner reaches only through files.
extension Supervision {
  /// Runs an attempt that this process has claimed; returns the exit code that tells the engine how it
  /// ended.
  ///
  /// - Throws: when it cannot supervise; the record then says so.
  package static func run(
    _ order: LaunchOrder, relay: consuming Relay
  ) throws(JobPageError) -> Int32 {
    let signals = try JobPageError.wrapping(prepare)
    let record = try RunRecordFile(existing: order.record)
    let shim = try JobPageError.wrapping(identity)
    var supervision = Supervision(order, nil, record, signals, shim)
    supervision.relay = consume relay
    // Stopped before the start: it is started and ended, as the claim cannot be undone.
    supervision.carryOutOrders()
    try supervision.startWorker(shim, nil)
    supervision.tellStarted()
    if supervision.stopCause != nil { supervision.askToStop() }
    if supervision.relay?.orders.isKilled ?? false { supervision.kill() }
    try supervision.watch()
    return supervision.exitCode
  }

  /// The result for the engine; 0 only if the attempt has succeeded.
  private var exitCode: Int32 {
    switch workerEnd?.status {
    case .exited(0): PageReader.declaresFailure(order.page) ? 1 : 0
    case .exited(let code): code
    case .signalled(let number): 128 + number
    case .cannotStart, nil: 127
    }
  }

  private mutating func tellStarted() {
    try? record.synchronise()
    guard let started = (try? record.read())?.started else { return }
    relay?.tell(.started(started))
  }

  mutating func actAsRelay() {
    guard let due = relay?.due, AwakeClock.now() >= due else { return }
    relay?.act()
    carryOutOrders()
  }

  mutating func obeyAway(_ signal: Int32) {
    switch signal {
    case Signal.user1:
      relay?.ring()
      carryOutOrders()
    case Signal.user2:
      relay?.ring()
      carryOutOrders()
      // With a known time limit, the job is asked to stop in time before it.
      if engineLimit == nil { stop(engineStop(), graceMilliseconds: order.graceMilliseconds) }
    case Signal.terminate:
      // The signal may come from its runner's own backstop.
      relay?.ring()
      carryOutOrders()
      guard stopCause == nil else { return }
      stop(.outside, graceMilliseconds: engineGrace())
    default: break  // a child ended: the next round reaps it
    }
  }

  private mutating func carryOutOrders() {
    guard let orders = relay?.orders, orders.serial > obeyed else { return }
    obeyed = orders.serial
    if orders.isStopped {
      terminates = orders.terminates
      stop(.told(orders.reason), graceMilliseconds: UInt64(orders.graceMilliseconds))
    }
    if orders.isKilled, worker > 0 { kill() }
    engineLimit = nil
    guard stopCause == nil, orders.endsAtMilliseconds > 0 else { return }
    let left =
      orders.endsAtMilliseconds
      - min(
        orders.endsAtMilliseconds, UInt64(clamping: WallClock.now()))
    engineLimit = EngineLimit(
      end: Self.instant(inMilliseconds: left), begun: begunAt,
      grace: Self.nanoseconds(order.graceMilliseconds))
  }

  /// The engine's time limit is close.
  mutating func stop(at limit: EngineLimit) {
    engineLimit = nil
    let grace = limit.grace(
      at: AwakeClock.now(), engineGrace: Self.nanoseconds(engineGrace()))
    stop(engineStop(), graceMilliseconds: min(grace / 1_000_000, order.graceMilliseconds))
  }

  /// In milliseconds.
  private mutating func engineGrace() -> UInt64 {
    let grace = UInt64(relay?.orders.engineGraceMilliseconds ?? 0)
    return grace > 0 ? grace : order.graceMilliseconds
  }

  private mutating func engineStop() -> RunRecord.StopCause {
    guard let partition = relay?.partition else { return .limit }
    return .partition(partition)
  }

  /// Tells the job to stop, and kills it after its grace without further orders.
  ///
  /// A second call may shorten the grace.
  mutating func stop(_ cause: RunRecord.StopCause, graceMilliseconds: UInt64) {
    let deadline = Self.instant(inMilliseconds: graceMilliseconds)
    stopDeadline = min(stopDeadline ?? .max, deadline)
    if stopCause == nil {
      stopCause = cause
      let line = RunRecord.Line.stopping(cause, milliseconds: WallClock.now())
      // The line is useful; the end is what counts.
      try? record.append(line)
      try? record.synchronise()
      relay?.tell(line)
    }
    if worker > 0 { askToStop() }
  }

  private mutating func askToStop() {
    guard let deadline = stopDeadline, let cause = stopCause else { return }
    let hearsPage =
      (try? PageControl(path: order.page).stop(reason: cause.pageReason, deadline: deadline)) != nil
    if terminates || !hearsPage { askToEnd() }
    killAt = min(killAt ?? .max, deadline)
  }

  /// A worker that died of SIGTERM may have got it together with this process, from an engine that ends all
  /// processes of an attempt at once: then it did not end by itself.
  mutating func awaitOwnTerm() {
    guard relay != nil, stopCause == nil, workerEnd?.status == .signalled(Signal.terminate) else {
      return
    }
    guard (try? Poll.wait(signals.number, until: AwakeClock.now() + 200_000_000)) == true,
      let numbers = try? signals.drain()
    else { return }
    for number in numbers { obeyAway(number) }
  }
}

extension RunRecord.StopCause {
  /// The reason on the job's page.
  fileprivate var pageReason: UInt32 {
    switch self {
    case .told(let reason): reason
    case .limit, .partition: PageStop.limitReason
    case .outside: 0
    }
  }
}
