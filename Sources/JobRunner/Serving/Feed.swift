import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// Sends durable events and progress to subscribers; a slow client gets a gap, and then the current state of
/// all jobs.
final class Feed: Part {
  private let connections: Connections
  private let store: Store
  private unowned let jobs: any JobDirectory
  private let trouble: (String) -> Void
  private var pace = ProgressPace()

  /// `trouble` gets a sentence about each failed read.
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

  /// Encodes each line once and sends the bytes to all clients that follow the job.
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

  /// Sends a line to all readers of the whole feed that have space for it; it is not repeated.
  func tell(_ line: FeedLine) {
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    for client in connections.all where client.readsFeed {
      guard client.output.count + bytes.count <= connections.subscriberRoom else { continue }
      client.output.append(contentsOf: bytes)
      connections.markDirty(client)
    }
  }

  /// Warns clients that watch a job why its end is delayed: it is announced once it is stored.
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

  /// Subscribes the client to these jobs, beginning with their state.
  func follow(_ numbers: Set<JobNumber>, attached: Bool, by client: Client) {
    subscribe(client, to: .jobs(numbers, attached: attached))
    client.cursor.follow(after: jobs.sequence)
    sendSnapshots(to: client)
  }

  /// Subscribes the client to the events and the progress of these jobs.
  func follow(_ some: JobSelection, by client: Client) {
    subscribe(client, to: .many(some))
    client.cursor.follow(after: jobs.sequence)
    client.snapshots = Client.Snapshots()
  }

  /// Subscribes the client to the whole feed, beginning with the state of live jobs or, with `since`, with the
  /// events after that sequence number; progress at most every `interval`.
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
    client.lastProgress = AwakeClock.instant(in: .zero)
    client.progressDue = client.nextProgress(after: client.lastProgress)
    client.knownLook = jobs.lastLook
  }

  /// A slow client has caught up: sends the gap, and the current state of all jobs.
  func resynchronise(_ client: Client) {
    guard client.output.isEmpty, client.snapshots.isEmpty,
      let gap = client.cursor.catchUp(to: jobs.sequence)
    else { return }
    client.output.append { FeedLine.gap(from: gap.from, to: gap.to).append(to: &$0) }
    sendSnapshots(to: client)
  }

  // MARK: Snapshots

  /// One snapshot line for each job that the client follows, including ended ones, whose end it would miss
  /// otherwise; for a reader of the whole feed, one for each live job.
  ///
  /// They are written as the client takes them, each with its job's state at that time.
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

  /// Begins to replay the events after `since` from the store; removed ones are reported as a gap.
  private func replay(since: UInt64, to client: Client, from first: UInt64) {
    if let gone = client.cursor.resume(after: since, oldest: first, newest: jobs.sequence) {
      client.output.append {
        FeedLine.gap(from: gone.lowerBound, to: gone.upperBound).append(to: &$0)
      }
    }
    connections.markDirty(client)
  }

  /// The next past events; after the last one the client gets new events.
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

  /// The acceptance of a batch's job is stored only as a note; the event is built from it and the job.
  ///
  /// If the job is no longer stored, the event is omitted.
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
  /// When progress is next due to any subscriber; nil without one, so that this process can sleep.
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

  /// Samples running jobs and sends changes to the readers for which they are due.
  ///
  /// Each reader gets the changes since its last update, whichever client caused the sample. A slow reader gets
  /// nothing now and the newest state later.
  func act(at now: Instant) {
    let due = connections.all.filter { $0.progressDue.map { $0 <= now } ?? false }
    guard !due.isEmpty else { return }
    pace.begin()
    // After the update: it decides how soon to look again.
    defer { for client in due { client.progressDue = client.nextProgress(after: now) } }
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
    send(&lines, to: readers, at: now)
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

  /// The content of a reader's update.
  private struct Share: Hashable {
    /// The reader has all samples up to this one.
    let known: UInt64
    let isBrief: Bool
  }

  /// Readers of the whole feed with the same state get the same bytes, encoded once.
  private func send(_ lines: inout [ProgressLine], to readers: [Client], at now: Instant) {
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
      client.lastProgress = now
      client.output.append(contentsOf: bytes)
      connections.markDirty(client)
    }
  }

  /// A reader of brief progress still gets the whole job when more than its progress has changed.
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

  /// A reader of the feed gets all jobs; a terminal reads its job's page itself and needs only observed
  /// progress.
  private func wants(_ client: Client, _ number: JobNumber) -> Bool {
    switch client.subscription {
    case .none, .jobs(_, attached: false): false
    case .feed: true
    case .many(let some): some.contains(number, of: jobs.group(of: number))
    case .jobs(let numbers, attached: true): numbers.contains(number) && jobs.isObserved(number)
    }
  }
}
