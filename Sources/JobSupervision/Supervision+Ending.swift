internal import JobPage
internal import LinuxSystem

// The end of an attempt, as its run record says it.
extension Supervision {
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
