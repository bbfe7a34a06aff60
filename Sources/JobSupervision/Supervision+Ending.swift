internal import JobPage
internal import LinuxSystem

// Signals and the end of an attempt.
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

  /// Resumed after TERM, as a stopped process cannot react to it.
  ///
  /// Returns how many processes were asked.
  @discardableResult
  mutating func askToEnd(with signal: Int32? = nil) -> Int {
    defer { pausing.end(tree) }
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

  /// The last step: the record's `ended` line.
  mutating func finish(
    _ status: RunRecord.Status, at milliseconds: Int64, message: String = ""
  ) throws(JobPageError) {
    worker = 0
    // The group does not count writes that have not reached a disk yet.
    let transferred = transferred.most(tree.group?.transferred)
    if transferred != BytesTransferred() { try write(.transferred(transferred)) }
    let line = RunRecord.Line.ended(
      .init(
        // The group does not count processes that left it; reaping does not count processes that did not
        // end.
        status: status,
        cpuMicroseconds: max(tree.group?.cpuMicroseconds ?? 0, cpuMicroseconds),
        residentBytes: max(tree.group?.peakBytes ?? 0, residentBytes),
        startedMilliseconds: startedMilliseconds, endedMilliseconds: milliseconds,
        message: message))
    // Sent even while the record cannot be written: the mirror needs no new space.
    relay?.tell(line)
    try write(line)
    runner?.send(line)
  }

  private static let triesOnStale = 5

  /// Writes to the record, waiting while the disk takes nothing (full, read-only or gone), as only this
  /// process knows how the job ended; it does not wait for a record that another machine has removed.
  borrowing func write(_ line: RunRecord.Line) throws(JobPageError) {
    var pause = Self.firstRoomPause
    var hasWaited = false
    var triesLeft = Self.triesOnStale
    while true {
      do throws(JobPageError) {
        if hasWaited { try record.append(.waited) }
        try record.append(line)
        if relay != nil { try record.synchronise() }
        return
      } catch {
        guard case .system(let problem) = error else { throw error }
        if problem.number == SystemError.stale {
          triesLeft -= 1
          guard triesLeft > 0 else {
            throw .system(
              SystemError("record how the job ended in", problem.number, path: order.record))
          }
        }
        try JobPageError.wrapping { () throws(SystemError) in
          // No process is left that a signal could be meant for.
          if try Poll.wait(signals.number, until: AwakeClock.now() + pause) {
            _ = try signals.drain()
          }
        }
        pause = min(pause * 2, Self.lastRoomPause)
        hasWaited = true
      }
    }
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
