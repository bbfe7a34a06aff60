import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Tells whoever listens what was made durable and how far jobs are; who is behind hears of a gap, and
/// then where everything stands.
final class Feed: Part {
  private let connections: Connections
  private let store: Store
  private unowned let jobs: any JobDirectory
  private let trouble: (String) -> Void
  private var pace = ProgressPace()

  /// `trouble` is told in a sentence what cannot be read.
  init(
    connections: Connections, store: Store, jobs: any JobDirectory,
    trouble: @escaping (String) -> Void
  ) {
    self.connections = connections
    self.store = store
    self.jobs = jobs
    self.trouble = trouble
  }

  // MARK: Events

  /// Writes each line once and hands the bytes to everybody who listens to that job.
  func tell(
    _ lines: [Turn.Line], at wall: WallTime, object: (Turn.Line) -> JobStatus?
  ) {
    let listeners = connections.all.filter { $0.listens }
    guard !listeners.isEmpty else { return }
    for line in lines {
      let hearers = listeners.filter { $0.hears(line.number, of: jobs.group(of: line.number)) }
      guard !hearers.isEmpty, let object = object(line) else { continue }
      var bytes: [UInt8] = []
      FeedLine.event(sequence: line.sequence, at: wall, line.kind, object)
        .append(to: &bytes)
      for client in hearers {
        offer(bytes, sequence: line.sequence, to: client)
      }
    }
  }

  /// Tells whoever reads all of the feed, as far as there is room: it is not told again.
  func tell(_ line: FeedLine) {
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    for client in connections.all where client.readsFeed {
      guard client.output.count + bytes.count <= connections.subscriberRoom else { continue }
      client.output.append(contentsOf: bytes)
      connections.markDirty(client)
    }
  }

  /// Tells whoever watches a job why they do not hear of its end: it is told once it is stored.
  func warn(of object: JobStatus) {
    let group = jobs.group(of: object.number)
    for client in connections.all where client.listens && client.hears(object.number, of: group) {
      client.output.append { FeedLine.progress(object).append(to: &$0) }
      connections.markDirty(client)
    }
  }

  /// Appends a feed line, or notes a gap when the client is too far behind.
  private func offer(_ bytes: [UInt8], sequence: UInt64, to client: Client) {
    let hasRoom = client.output.count + bytes.count <= connections.subscriberRoom
    guard client.cursor.admits(sequence, hasRoom: hasRoom) else { return }
    client.output.append(contentsOf: bytes)
    connections.markDirty(client)
  }

  // MARK: Subscriptions

  /// The client hears of these jobs from now on, beginning with how they are.
  func follow(_ numbers: Set<JobNumber>, attached: Bool, by client: Client) {
    subscribe(client, to: .jobs(numbers, attached: attached))
    client.cursor.follow(after: jobs.sequence)
    sendSnapshots(to: client)
  }

  /// The client hears of the events and the progress of these jobs from now on.
  func follow(_ some: JobSelection, by client: Client) {
    subscribe(client, to: .many(some))
    client.cursor.follow(after: jobs.sequence)
    client.snapshots = Client.Snapshots()
  }

  /// The client hears of everything from now on, beginning with how live jobs are or, with `since`, with
  /// what came after that sequence number; progress at most every `interval`.
  ///
  /// `first` is the oldest event that the store still has.
  func read(
    by client: Client, since: UInt64?, from first: UInt64, progressEvery interval: Interval?
  ) {
    subscribe(client, to: .feed(progressEvery: interval))
    if let since {
      client.snapshots = Client.Snapshots()
      replay(since: since, to: client, from: first)
    } else {
      client.cursor.follow(after: jobs.sequence)
      sendSnapshots(to: client)
    }
  }

  private func subscribe(_ client: Client, to subscription: Client.Subscription) {
    client.subscription = subscription
    client.progressDue = client.nextProgress(after: AwakeClock.instant(in: .zero))
    client.knownLook = jobs.lastLook
  }

  /// Once a slow client has caught up: what it missed, and where everything stands now.
  func resynchronise(_ client: Client) {
    guard client.output.isEmpty, client.snapshots.isEmpty,
      let gap = client.cursor.catchUp(to: jobs.sequence)
    else { return }
    client.output.append { FeedLine.gap(from: gap.from, to: gap.to).append(to: &$0) }
    sendSnapshots(to: client)
  }

  // MARK: Snapshots

  /// One snapshot line for each job that the client follows, ended ones too, as nothing else would
  /// tell it of their end; to a reader of the whole feed for each live one.
  ///
  /// They are written as the client takes them, each as its job is then.
  private func sendSnapshots(to client: Client) {
    client.snapshots = Client.Snapshots()
    switch client.subscription {
    case .jobs(let followed, _): client.snapshots.followed = followed.sorted(by: >)
    // It counts anew.
    case .many: break
    case .none, .feed:
      if let last = jobs.liveNumbers.last {
        client.snapshots.live = (after: JobNumber(0), last: last)
      }
    }
    connections.markDirty(client)
  }

  /// The next page of snapshots.
  func snapshotMore(to client: Client) {
    for number in nextSnapshots(of: client) {
      guard let object = jobs.freshObject(of: number) ?? jobs.stored(number) else { continue }
      client.output.append { FeedLine.snapshot(object).append(to: &$0) }
    }
  }

  private func nextSnapshots(of client: Client) -> [JobNumber] {
    if let (after, last) = client.snapshots.live {
      let numbers = jobs.liveNumbers.page(after: after, limit: Limits.listPage)
        .prefix { $0 <= last }
      let isLast = numbers.count < Limits.listPage
      client.snapshots.live = isLast ? nil : numbers.last.map { (after: $0, last: last) }
      return Array(numbers)
    }
    let numbers = client.snapshots.followed.suffix(Limits.listPage)
    client.snapshots.followed.removeLast(numbers.count)
    return numbers.reversed()
  }

  // MARK: The past

  /// Begins to resume after `since`, from the store; what is gone from there is told as a gap.
  private func replay(since: UInt64, to client: Client, from first: UInt64) {
    if let gone = client.cursor.resume(after: since, oldest: first, newest: jobs.sequence) {
      client.output.append {
        FeedLine.gap(from: gone.lowerBound, to: gone.upperBound).append(to: &$0)
      }
    }
    connections.markDirty(client)
  }

  /// The next events of the past; at its end the client is where everybody is.
  func replayMore(to client: Client) {
    guard let cursor = client.cursor.replayedTo else { return }
    do throws(StoreError) {
      let events = try store.events(since: cursor, limit: Limits.listPage)
      for event in events { client.output.append { append(event, to: &$0) } }
      client.cursor.replayed(to: events.last?.sequence)
    } catch {
      trouble("the events cannot be read: \(error.message)")
      client.cursor.loseReplay()
    }
  }

  /// Of the acceptance of one of many jobs there is only a note; what is told is made of it and of the
  /// job, and where that is not kept any more, the event is missing.
  private func append(_ event: EventRow, to bytes: inout [UInt8]) {
    var job = event.job
    if let note = AcceptanceNote(json: job) {
      guard let later = jobs.stored(event.number) else {
        return FeedLine.gap(from: event.sequence, to: event.sequence).append(to: &bytes)
      }
      job = note.job(from: later).json
    }
    FeedLine.appendEvent(
      sequence: event.sequence, at: WallTime(milliseconds: event.atMilliseconds),
      kind: event.kind, jobJSON: job, to: &bytes)
  }
}

// MARK: Progress

extension Feed {
  /// When progress is due to anybody who waits for it; nil while nobody does, so that nothing wakes
  /// this process.
  var nextDue: Instant? {
    guard jobs.isAnyRunning else { return nil }
    let due = connections.all.filter { client in
      switch client.subscription {
      case .none, .jobs(_, attached: false): false
      case .feed, .many: true
      case .jobs(let numbers, attached: true): numbers.contains { jobs.isObserved($0) }
      }
    }.compactMap(\.progressDue).min()
    return due.map { max($0, pace.earliest) }
  }

  /// Samples what runs and sends what moved, to the readers for whom it is time.
  ///
  /// Whoever looked last at a job, each reader gets what it does not know yet. One that is behind
  /// gets nothing now and the newest later.
  func act(at now: Instant) {
    let due = connections.all.filter { $0.progressDue.map { $0 <= now } ?? false }
    guard !due.isEmpty else { return }
    pace.begin()
    for client in due { client.progressDue = client.nextProgress(after: now) }
    let running = jobs.runningNumbers
    for number in running where due.contains(where: { wants($0, number) }) { jobs.sample(number) }
    let room = connections.answerRoom
    let readers = due.filter { $0.cursor.gapFrom == nil && $0.output.count < room }
    let oldest = readers.map(\.knownLook).min() ?? jobs.lastLook
    var lines: [ProgressLine] = []
    for number in running {
      guard let look = jobs.lastLook(at: number), look.moved > oldest else { continue }
      lines.append(ProgressLine(number: number, look: look))
    }
    send(&lines, to: readers)
  }

  /// All has been written that the readers take.
  func endPace() { pace.end(at: AwakeClock.instant(in: .zero)) }

  /// One job's progress, and the looks that saw it; its bytes are put together when a reader needs them.
  private struct ProgressLine {
    let number: JobNumber
    let look: ChangeMarker
    var whole: [UInt8]?
    var brief: [UInt8]?
  }

  /// What a reader is told.
  private struct Share: Hashable {
    /// It knows of all looks up to this one.
    let known: UInt64
    let isBrief: Bool
  }

  /// Readers of the whole feed that know the same get the same bytes, put together once.
  private func send(_ lines: inout [ProgressLine], to readers: [Client]) {
    var wholes: [Share: [UInt8]] = [:]
    for client in readers {
      let share = Share(known: client.knownLook, isBrief: client.isBrief)
      client.knownLook = jobs.lastLook
      var bytes: [UInt8] = []
      if case .feed = client.subscription, let known = wholes[share] {
        bytes = known
      } else {
        for index in lines.indices
        where lines[index].look.moved > share.known && wants(client, lines[index].number) {
          bytes += self.bytes(of: &lines[index], for: share)
        }
        if case .feed = client.subscription { wholes[share] = bytes }
      }
      guard !bytes.isEmpty else { continue }
      client.output.append(contentsOf: bytes)
      connections.markDirty(client)
    }
  }

  /// Who wants no more than the progress gets the whole job all the same where more has changed.
  private func bytes(of line: inout ProgressLine, for share: Share) -> [UInt8] {
    if share.isBrief, line.look.spoke <= share.known {
      if let bytes = line.brief { return bytes }
      var bytes: [UInt8] = []
      FeedLine.brief(line.number, jobs.progress(of: line.number)).append(to: &bytes)
      line.brief = bytes
      return bytes
    }
    if let bytes = line.whole { return bytes }
    var bytes: [UInt8] = []
    if let object = jobs.object(of: line.number) { FeedLine.progress(object).append(to: &bytes) }
    line.whole = bytes
    return bytes
  }

  /// A reader of the feed wants to know of all jobs; a terminal reads its job's page by itself and
  /// must be told only what is seen from here.
  private func wants(_ client: Client, _ number: JobNumber) -> Bool {
    switch client.subscription {
    case .none, .jobs(_, attached: false): false
    case .feed: true
    case .many(let some): some.contains(number, of: jobs.group(of: number))
    case .jobs(let numbers, attached: true): numbers.contains(number) && jobs.isObserved(number)
    }
  }
}
