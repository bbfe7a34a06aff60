internal import JobPage
internal import LinuxSystem

// Signals to the worker and its processes, and their ends.
extension Supervision {
  /// Reaps all children that have ended; returns whether children remain.
  mutating func reap() throws(SystemError) -> Bool {
    while true {
      switch try ChildProcess.reapAny() {
      case .noChild: return false
      case .stillRunning: return true
      case .ended(let end):
        cpuMicroseconds += end.cpuMicroseconds
        transferred = transferred + end.transferred
        residentBytes = max(residentBytes, end.residentBytes)
        guard end.pid == worker, workerEnd == nil else { continue }
        workerEnd = (RunRecord.Status(end.status), WallClock.now())
      }
    }
  }

  mutating func obey(_ signal: Int32) {
    if relay != nil { return obeyAway(signal) }
    switch signal {
    case Signal.terminate:
      isAskedToEnd = true
      askToEnd(with: (try? PageControl(path: order.page))?.stopSignal())
    case Signal.user1: kill()
    case Signal.urgent: pausing.applyPage(to: tree, mayFreeze: workerEnd == nil)
    default: break  // a child ended: the next round reaps it
    }
  }

  /// Processes are continued after TERM, as a stopped one cannot react to it; it may have stopped itself.
  ///
  /// Returns how many processes were asked.
  @discardableResult
  mutating func askToEnd(with signal: Int32? = nil) -> Int {
    defer {
      pausing.end(tree)
      _ = tree.signal(Signal.continue)
    }
    return tree.signal(signal ?? Signal.terminate)
  }

  /// The worker has left children behind: TERM now, KILL after the grace.
  mutating func askToLeave() {
    let count = askToEnd()
    if !isAskedToEnd { leftBehind = count }
    killAt = Self.instant(inMilliseconds: order.graceMilliseconds)
  }

  /// On `AwakeClock`; saturates.
  static func instant(inMilliseconds milliseconds: UInt64) -> UInt64 {
    let (instant, late) = AwakeClock.now().addingReportingOverflow(nanoseconds(milliseconds))
    return late ? .max : instant
  }

  /// Saturates.
  static func nanoseconds(_ milliseconds: UInt64) -> UInt64 {
    let (span, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : span
  }

  /// Why a worker was killed, or what one that ended by itself left behind.
  ///
  /// The limit, or the kernel's out-of-memory count when another process killed it.
  func explanation(_ status: RunRecord.Status) -> String {
    if isOverLimit { return "it was killed at its limit" }
    if case .exited = status, leftBehind > 0 {
      return leftBehind == 1
        ? "a process that it left running was ended"
        : "\(leftBehind) processes that it left running were ended"
    }
    guard status == .signalled(Signal.kill), !hasKilled, memoryKills?.hasGrown == true else {
      return ""
    }
    return "it was killed when memory ran out (the kernel's count of such kills grew)"
  }

  /// Kills the tree, and again after a pause while any of its processes remains.
  mutating func kill() {
    hasKilled = true
    // A tree that forks and ends faster than a search fills the process list with zombies meanwhile.
    let end = AwakeClock.now() + killPause
    while (try? reap()) == true, tree.killOwnChildren() > 0, AwakeClock.now() < end {}
    tree.kill()
    killAt = AwakeClock.now() + killPause
    killPause = min(killPause * 2, Self.lastKillPause)
  }
}

extension RunRecord.Status {
  fileprivate init(_ status: ChildEnd.Status) {
    switch status {
    case .exited(let code): self = .exited(code)
    case .signalled(let number): self = .signalled(number)
    }
  }
}
