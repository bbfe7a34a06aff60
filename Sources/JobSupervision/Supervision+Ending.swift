internal import JobPage
internal import LinuxSystem

// Signals, and how it all ends.
extension Supervision {
  /// Takes in everything that has ended; whether children remain.
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
    case Signal.terminate: askToEnd()
    case Signal.user1: kill()
    case Signal.urgent: pausing.settle(tree, mayFreeze: workerEnd == nil)
    default: break  // a child ended: the next round reaps it
    }
  }

  /// What is stopped hears nothing.
  mutating func askToEnd() {
    tree.signal(Signal.terminate)
    pausing.end(tree)
  }

  /// The worker left its children behind: TERM now, KILL after the grace.
  mutating func askToLeave() {
    askToEnd()
    killAt = Self.instant(inMilliseconds: order.graceMilliseconds)
  }

  /// On `AwakeClock`, held at its end.
  static func instant(inMilliseconds milliseconds: UInt64) -> UInt64 {
    let (instant, late) = AwakeClock.now().addingReportingOverflow(nanoseconds(milliseconds))
    return late ? .max : instant
  }

  /// Held at the largest.
  static func nanoseconds(_ milliseconds: UInt64) -> UInt64 {
    let (span, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : span
  }

  /// Why a worker was killed: its limit, or what the kernel tells of one that somebody else killed.
  func explanation(_ status: RunRecord.Status) -> String {
    if isOverLimit { return "it was killed at its limit" }
    guard status == .signalled(Signal.kill), !hasKilled, memoryKills?.hasGrown == true else {
      return ""
    }
    return "it was killed when memory ran out (the kernel's count of such kills grew)"
  }

  /// Kills the tree, and again after a pause while something of it is still there.
  mutating func kill() {
    hasKilled = true
    // What forks and ends faster than a search finds it fills the list of processes with zombies during one.
    let end = AwakeClock.now() + killPause
    while (try? reap()) == true, tree.killOwnChildren() > 0, AwakeClock.now() < end {}
    tree.kill()
    killAt = AwakeClock.now() + killPause
    killPause = min(killPause * 2, Self.lastKillPause)
  }

  /// The last act: the record's `ended` line.
  mutating func finish(
    _ status: RunRecord.Status, at milliseconds: Int64, message: String = ""
  ) throws(JobPageError) {
    worker = 0
    // What was written and not yet brought to a disk was not counted there.
    let transferred = transferred.most(tree.group?.transferred)
    if transferred != BytesTransferred() { try write(.transferred(transferred)) }
    let line = RunRecord.Line.ended(
      .init(
        // What left the group was not counted there, what did not end was not counted here.
        status: status,
        cpuMicroseconds: max(tree.group?.cpuMicroseconds ?? 0, cpuMicroseconds),
        residentBytes: max(tree.group?.peakBytes ?? 0, residentBytes),
        startedMilliseconds: startedMilliseconds, endedMilliseconds: milliseconds,
        message: message))
    // Also where the record cannot be written for long: that needs no room.
    relay?.tell(line)
    try write(line)
    runner?.send(line)
  }

  private static let triesOnStale = 5

  /// Writes to the record, waiting for as long as the disk takes nothing (it is full, or read-only, or
  /// gone), as nobody else knows how the job ended; not for a record that another machine has removed.
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
          // Nothing is left that a signal could be meant for.
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
