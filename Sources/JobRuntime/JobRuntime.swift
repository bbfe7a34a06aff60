package import JobCore
package import JobWire

/// One turn at a time: what happened → what is decided → what is durable → what is told and done.
///
/// Drivers bring events and carry out turns: the runner with processes and SQLite, the scheduler that is
/// embedded in a program, and the simulation. What happens when the journal refuses is decided here, too,
/// and nowhere else.
///
/// Not `Sendable`: it belongs to whoever drives it.
package final class JobRuntime {
  /// The rules.
  package internal(set) var scheduler: Scheduler
  /// Live jobs beside what the scheduler holds of them.
  package var jobs = LiveJobTable()
  /// The newest words of each running job's page.
  package var texts: [JobNumber: PageText] = [:]
  /// What happened and was not decided yet.
  package var inbox: [Event] = []
  /// Submissions that the scheduler has not answered.
  package var drafts = Drafts()
  /// The newest line's sequence number.
  package internal(set) var sequence: UInt64
  /// Jobs that the turn which is being stored accepts: no journal knows them yet.
  package internal(set) var beingAccepted: Set<JobNumber> = []
  /// What those execute that the newest turn has taken in and launches at once.
  ///
  /// It need not be read from the journal again; of a crowd that waits nothing is kept.
  package internal(set) var arrivedSpecifications: [JobNumber: [UInt8]] = [:]
  /// When what the journal refused is offered to it again; nil = it has everything.
  package internal(set) var retryAt: Instant?
  /// Called after each event with what the scheduler has decided; for models that check it.
  package var whenDecided: ((Event, [Effect]) -> Void)?

  /// Where the files of jobs are, to describe them; nil where nothing describes jobs, which saves most of
  /// what a turn costs.
  let paths: Paths?
  /// Announcements that the journal refused, kept because they are true.
  var heldBack = HeldBack()
  /// Accepted by the scheduler, refused by the journal: on their way out of the scheduler.
  var withdrawn: Set<JobNumber> = []
  /// The events that remove them, decided before any other, so that nothing mentions those jobs.
  var withdrawals: [Event] = []
  /// Jobs that have ended since the oldest submission on its way came, by their keys: the scheduler has
  /// forgotten them, and when they came the journal did not know of them.
  var endedKeys: [String: JobNumber] = [:]
  private var lastTag: UInt64 = 0
  /// When the newest turn took place.
  private var moment = Moment(awake: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 0))

  /// Goes on after `sequence`, the newest that the journal knows.
  package init(
    _ configuration: Scheduler.Configuration, firstNumber: JobNumber, sequence: UInt64 = 0,
    paths: Paths? = nil
  ) {
    scheduler = Scheduler(configuration: configuration, firstNumber: firstNumber)
    self.sequence = sequence
    self.paths = paths
  }

  /// A fresh tag under which an answer finds who asked.
  ///
  /// Tag 0 is the runtime's own.
  package func nextTag() -> RequestTag {
    lastTag += 1
    return RequestTag(lastTag)
  }

  /// Takes what has happened through the scheduler and the journal; nil when there is nothing to do.
  ///
  /// Carrying out a turn may bring new events (a sample's answer); they take another one.
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

  /// What has happened; a submission that takes the place of a live job has a turn of its own.
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

  /// Forgets a job that has ended, once all that belongs to its end is done; what was known of it.
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

  /// The job as it is now, as far as it may be told; nil for one that is not live.
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
    // Only one of many that were accepted in one is not described yet, and no attempt of it had begun.
    (liveJob.state, liveJob.attempt, liveJob.gpus) = (line.state, 0, [])
    return liveJob.object(
      core: scheduler.snapshot(line.number), text: nil, paths: paths, now: moment.awake,
      wallNow: moment.wall)
  }

  /// The job as it is at this moment of a turn; `isLive`: the scheduler knows it.
  func described(
    _ number: JobNumber, isLive: Bool, at now: Moment, isBrief: Bool = false
  ) -> JobStatus? {
    guard let paths else { return nil }
    return jobs[number]?.object(
      core: isLive ? scheduler.snapshot(number) : nil, text: texts[number], paths: paths,
      now: now.awake, wallNow: now.wall, isBrief: isBrief)
  }
}
