// A person holds a job: it does not start, and others pass it, until it is released. Its other conditions are
// still tracked meanwhile.
extension Scheduler {
  mutating func hold(_ number: JobNumber, _ tag: RequestTag) {
    guard let index = waiting(number, toBe: "held", tag) else { return }
    outbox.reply(tag, .done(number))
    guard !table[index].submission.isHeld else { return }
    let wasInLine = leaveLine(index)
    table[index].change { $0.isHeld = true }
    if wasInLine { standAside(index) }
    outbox.announce(number, .held, state(index))
    admissionDue = true
  }

  mutating func release(_ number: JobNumber, _ tag: RequestTag, at now: Instant) {
    guard let index = waiting(number, toBe: "released", tag) else { return }
    outbox.reply(tag, .done(number))
    guard table[index].submission.isHeld else { return }
    table[index].change { $0.isHeld = false }
    guard case .held = table[index].phase else {
      return outbox.announce(number, .released, state(index))
    }
    leaveWaiting(index)
    enterLine(index, announcing: .released, at: now)
  }

  /// A waiting job, because only those can be steered; nil once the request is answered.
  mutating func waiting(_ number: JobNumber, toBe what: String, _ tag: RequestTag) -> Int? {
    guard let index = table.index(of: number) else {
      outbox.reply(tag, .notLive(number))
      return nil
    }
    guard table[index].isActive else { return index }
    let sentence =
      isElsewhere(index).map {
        "\($0), where it cannot be \(what); cancel it and submit it again"
      } ?? "job \(number) has already started; only a waiting job can be \(what)"
    outbox.reply(tag, .refused(Refusal(.notWaiting, sentence)))
    return nil
  }

  /// Of a job that waits where another machine decides, the beginning of a sentence.
  func isElsewhere(_ index: Int) -> String? {
    guard let engine = table[index].engine else { return nil }
    switch table[index].phase {
    case .launching, .away: return "job \(table[index].number) is in the queue of \(engine) already"
    case .inLine, .delayed, .after, .awaiting, .scheduled, .held, .running, .stalled, .paused,
      .stopping:
      return nil
    }
  }

  /// Puts a job aside until it is released.
  mutating func standAside(_ index: Int) {
    table[index].phase = .held
    delayed.insert(table[index].number)
    deadlines.set(nil, at: index)
  }

  /// Shared by all held jobs, so that lists print it once.
  static let reasonToHold = PendingReason(.held, "on hold until jobrun release")
}
