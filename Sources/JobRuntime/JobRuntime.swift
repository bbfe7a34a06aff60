package import JobCore
package import JobWire

/// Handles one turn at a time: events → decisions → durable → answers and actions.
///
/// Drivers bring events and carry out turns: the runner with processes and SQLite, the scheduler embedded in a
/// program, and the simulation. All consequences of a journal's refusal are decided here.
///
/// Not `Sendable`: it belongs to its driver.
package final class JobRuntime {
  /// The rules.
  package internal(set) var scheduler: Scheduler
  /// Live jobs with their data beside the scheduler's.
  package var jobs = LiveJobTable()
  /// The newest texts of each running job's page.
  package var texts: [JobNumber: PageText] = [:]
  /// Events that are not handled yet.
  package var inbox: [Event] = []
  /// Submissions that the scheduler has not answered.
  package var drafts = Drafts()
  /// The newest line's sequence number.
  package internal(set) var sequence: UInt64
  /// Jobs that the current turn accepts: the journal does not have them yet.
  package internal(set) var beingAccepted: Set<JobNumber> = []
  /// Specifications of jobs that the newest turn has accepted and launches at once.
  ///
  /// They need not be read from the journal again; those of waiting jobs are not kept.
  package internal(set) var arrivedSpecifications: [JobNumber: [UInt8]] = [:]
  /// When refused announcements are offered to the journal again; nil = there are none.
  package internal(set) var retryAt: Instant?
  /// Called after each event with the scheduler's decisions; for models that check it.
  package var whenDecided: ((Event, [Effect]) -> Void)?

  /// The paths of jobs' files, for their descriptions; nil without descriptions, which saves most of a turn's
  /// cost.
  let paths: Paths?
  /// True announcements that the journal refused.
  var heldBack = HeldBack()
  /// Accepted by the scheduler, refused by the journal: on their way out of the scheduler.
  var withdrawn: Set<JobNumber> = []
  /// The events that remove withdrawn jobs, handled before all others, so that no line mentions those jobs.
  var withdrawals: [Event] = []
  /// Jobs that have ended since the oldest submission under way arrived, by their keys: the scheduler has
  /// forgotten them, and when the submissions arrived, the journal did not have them.
  var endedKeys: [String: JobNumber] = [:]
  private var lastTag: UInt64 = 0
  /// When the newest turn took place.
  private var moment = Moment(awake: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0))

  /// Continues after `sequence`, the newest line in the journal.
  package init(
    _ configuration: Scheduler.Configuration, firstNumber: JobNumber, sequence: UInt64 = 0,
    paths: Paths? = nil
  ) {
    scheduler = Scheduler(configuration: configuration, firstNumber: firstNumber)
    self.sequence = sequence
    self.paths = paths
  }

  /// A new tag that connects an answer with its request.
  ///
  /// Tag 0 is the runtime's own.
  package func nextTag() -> RequestTag {
    lastTag += 1
    return RequestTag(lastTag)
  }

  /// Takes the events through the scheduler and the journal; nil when there is nothing to do.
  ///
  /// Carrying out a turn may cause new events (a sample's answer); they take another turn.
  package func turn(at now: Moment, _ journal: inout some Journal) -> Turn? {
    arrivedSpecifications = [:]
    moment = now
    guard !inbox.isEmpty || !withdrawals.isEmpty || (retryAt.map { $0 <= now.awake } ?? false)
    else { return nil }
    var turn = Turn()
    let events = nextEvents()
    let before = events.first.flatMap { isReplacing($0) ? Before(self) : nil }
    var effects: [Effect] = []
    for event in events where !isRepeated(event, in: &turn) {
      if scheduler.needsTime(for: event) {
        decide(.timeOfDay(now.wall), &effects, into: &turn, at: now)
      }
      decide(informed(event, by: journal), &effects, into: &turn, at: now)
    }
    commit(&turn, before, at: now, &journal)
    if drafts.isEmpty, !endedKeys.isEmpty { endedKeys = [:] }
    return turn
  }

  private func decide(
    _ event: Event, _ effects: inout [Effect], into turn: inout Turn, at now: Moment
  ) {
    effects.removeAll(keepingCapacity: true)
    scheduler.handle(event, at: now.awake, into: &effects)
    whenDecided?(event, effects)
    for effect in effects { stage(effect, of: event, into: &turn, at: now) }
  }

  /// The next events; a submission that replaces a live job has its own turn.
  private func nextEvents() -> [Event] {
    var events: [Event] = []
    if !withdrawals.isEmpty {
      swap(&events, &withdrawals)
      return events
    }
    let count = inbox.prefix { !isReplacing($0) }.count
    if count == inbox.count {
      swap(&events, &inbox)
      return events
    }
    events = Array(inbox.prefix(max(1, count)))
    inbox.removeFirst(events.count)
    return events
  }

  /// Forgets and returns an ended job, once all consequences of its end are done.
  @discardableResult
  package func retire(_ number: JobNumber) -> LiveJob? {
    texts[number] = nil
    return jobs.removeValue(forKey: number)
  }

  /// Frees capacity that a crowd needed and that is no longer used.
  package func releaseCapacity() {
    if texts.isEmpty { texts = [:] }
    if inbox.isEmpty { inbox = [] }
    drafts.releaseCapacity()
  }

  /// The job's current status, as far as it may be shown; nil if it is not live.
  package func object(
    of number: JobNumber, at now: Moment, isBrief: Bool = false
  ) -> JobStatus? {
    guard var object = described(number, isLive: true, at: now, isBrief: isBrief) else {
      return nil
    }
    if !isBrief { object.terms.options = jobs[number]?.submission.options }
    return hasUnstoredEnd(number) ? withoutEnd(object) : object
  }

  /// The job of a line of the newest turn, as it was when that was announced.
  package func object(of line: Turn.Line) -> JobStatus? {
    guard line.object == nil, let paths, var liveJob = jobs[line.number] else { return line.object }
    // Only jobs of an accepted batch have no description yet, and none of their attempts had begun.
    (liveJob.state, liveJob.attempt, liveJob.gpus) = (line.state, 0, [])
    return liveJob.object(
      core: scheduler.snapshot(line.number), text: nil, paths: paths, now: moment.awake,
      wallNow: moment.wall)
  }

  /// The job's status within a turn; `isLive`: the scheduler has it.
  func described(
    _ number: JobNumber, isLive: Bool, at now: Moment, isBrief: Bool = false
  ) -> JobStatus? {
    guard let paths else { return nil }
    return jobs[number]?.object(
      core: isLive ? scheduler.snapshot(number) : nil, text: texts[number], paths: paths,
      now: now.awake, wallNow: now.wall, isBrief: isBrief)
  }
}
