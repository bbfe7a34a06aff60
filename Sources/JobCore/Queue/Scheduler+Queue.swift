extension Scheduler {
  /// Puts a waiting job in line and announces why it waits; it may start at the end of the event.
  mutating func enterLine(
    _ place: Int, announcing kind: Announcement.Kind, _ reason: PendingReason? = nil,
    at now: Instant
  ) {
    let number = table[place].number
    line.insert(number, needing: table[place].terms.needs)
    if slotsTaken == nil, ledger.slotsFree == 0 {
      slotsTaken = PendingReason(currentSlotHolders)
    }
    let reason = reason ?? reasonInLine(place, at: now)
    table[place].phase = .inLine(reason.code)
    outbox.announce(number, kind, .queued(reason))
    deadlines.set(nil, at: place)
    admissionDue = true
  }

  /// Takes a job out of the line; whether it was in it.
  mutating func leaveLine(_ place: Int) -> Bool {
    guard case .inLine = table[place].phase else { return false }
    line.remove(table[place].number, needing: table[place].terms.needs)
    return true
  }

  /// Takes a waiting job out of wherever it waits.
  mutating func leaveWaiting(_ place: Int) {
    if leaveLine(place) || leaveAgenda(place) { return }
    delayed.remove(table[place].number)
    deadlines.set(nil, at: place)
  }

  /// Puts a waiting job aside until `until`.
  mutating func delay(_ place: Int, until: Instant, _ reason: PendingReason) {
    let number = table[place].number
    delayed.insert(number)
    table[place].phase = .delayed(until: until, reason)
    outbox.announce(number, .queued, .queued(reason))
    deadlines.set(until, at: place)
  }

  /// A job that waited for a while, or for another job's end, waits for its turn now, or for its time.
  mutating func endDelay(_ place: Int, at now: Instant) {
    delayed.remove(table[place].number)
    wait(place, announcing: .queued, at: now)
  }
}
