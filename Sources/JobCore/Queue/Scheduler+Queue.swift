extension Scheduler {
  /// Puts a waiting job in line and announces why it waits; it may start at the end of the event.
  mutating func enterLine(
    _ index: Int, announcing kind: Announcement.Kind, _ reason: PendingReason? = nil,
    at now: Instant
  ) {
    let number = table[index].number
    waitSilently(index)
    if table[index].submission.isHeld { return outbox.announce(number, kind, state(index)) }
    let lane = lane(index)
    if slotsTaken[lane] == nil, lanes.slotsFree(in: lane) == 0, !isPaused,
      lanes.alone == 0, lanes.lanes[lane].owner.engine.flatMap({ lanes.pools[$0] }) == nil
    {
      let owner = table[index].submission.options.lane
      slotsTaken[lane] = PendingReason(currentSlotHolders(of: owner))
    }
    let reason = if let reason { reason } else { reasonInLine(index, at: now) }
    table[index].phase = .inLine(reason.code)
    outbox.announce(number, kind, .queued(reason))
    deadlines.set(nil, at: index)
    if !isBehindOthers(index, reason.code) { admissionDue = true }
  }

  /// Whether a job that has entered the line changes nothing for any job, itself included: no slot is free, and
  /// a job like it is ahead.
  private func isBehindOthers(_ index: Int, _ reason: PendingReason.Code) -> Bool {
    reason == .slots && lanes.slotsFree(in: lane(index)) == 0
      && !lines[lane(index)].isFirst(table[index].place, of: table[index].row)
  }

  /// Puts a job in line, or aside if it is held, without an announcement.
  mutating func waitSilently(_ index: Int) {
    if table[index].submission.isHeld { return standAside(index) }
    lines[lane(index)].insert(table[index].place, table[index].row, at: latest)
  }

  /// Takes a job out of the line; whether it was in it.
  mutating func leaveLine(_ index: Int) -> Bool {
    guard case .inLine = table[index].phase else { return false }
    lines[lane(index)].remove(table[index].place, table[index].row, at: latest)
    return true
  }

  /// Removes a waiting job from the line or the agenda.
  mutating func leaveWaiting(_ index: Int) {
    if leaveLine(index) || leaveAgenda(index) { return }
    delayed.remove(table[index].number)
    deadlines.set(nil, at: index)
  }

  /// Puts a waiting job aside until `until`.
  mutating func delay(_ index: Int, until: Instant, _ reason: PendingReason) {
    let number = table[index].number
    delayed.insert(number)
    table[index].phase = .delayed(until: until, reason)
    outbox.announce(number, .queued, .queued(reason))
    deadlines.set(until, at: index)
  }

  /// A job that waited for a while, or for another job's end, waits for its turn now, or for its time.
  mutating func endDelay(_ index: Int, at now: Instant) {
    delayed.remove(table[index].number)
    wait(index, announcing: .queued, at: now)
  }
}
