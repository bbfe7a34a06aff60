import JobCore
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Tells what a turn made durable: answers first, then the feed.
  func publish(_ turn: Turn) {
    for answer in turn.answers { respond(to: answer) }
    for object in turn.unstored { warn(of: object) }
    tell(turn.lines)
  }

  /// Tells whoever watches a job why they do not hear of its end: it is told once it is stored.
  private func warn(of object: JobObject) {
    for client in clients.values where client.listens && client.hears(object.number) {
      client.output.append { FeedLine.progress(object).append(to: &$0) }
      markDirty(client)
    }
  }

  /// Writes each line once and hands the bytes to everybody who listens to that job.
  private func tell(_ lines: [Turn.Line]) {
    let listeners = clients.values.filter { $0.listens }
    guard !listeners.isEmpty else { return }
    let wall = wallClock()
    for line in lines {
      guard let object = line.object else { continue }
      var bytes: [UInt8] = []
      FeedLine.event(sequence: line.sequence, at: wall, line.kind, object)
        .append(to: &bytes)
      for client in listeners where client.hears(line.number) {
        offer(bytes, sequence: line.sequence, to: client)
      }
    }
  }

  /// Appends a feed line, or notes a gap when the client is too far behind.
  private func offer(_ bytes: [UInt8], sequence: UInt64, to client: Client) {
    guard sequence > client.knownSequence, client.replayedTo == nil else { return }
    if client.gapFrom != nil || client.output.count + bytes.count > subscriberRoom {
      client.gapFrom = client.gapFrom ?? sequence
      return
    }
    client.output.append(contentsOf: bytes)
    client.knownSequence = sequence
    markDirty(client)
  }

  /// Once a slow client has caught up: what it missed, and where everything stands now.
  func resynchronise(_ client: Client) {
    guard let from = client.gapFrom, client.output.isEmpty, client.snapshots.isEmpty else {
      return
    }
    client.gapFrom = nil
    client.output.append { FeedLine.gap(from: from, to: sequence).append(to: &$0) }
    client.knownSequence = sequence
    sendSnapshots(to: client)
  }

  /// One snapshot line for each job that the client follows, ended ones too, as nothing else would
  /// tell it of their end; to a reader of the whole feed for each live one.
  ///
  /// They are written as the client takes them, each as its job is then.
  func sendSnapshots(to client: Client) {
    client.snapshots = Client.Snapshots()
    if case .jobs(let followed, _) = client.subscription {
      client.snapshots.followed = followed.sorted(by: >)
    } else if let last = cards.numbers.last {
      client.snapshots.live = (after: JobNumber(0), last: last)
    }
    markDirty(client)
  }

  /// The next page of snapshots.
  func snapshotMore(to client: Client) {
    for number in nextSnapshots(of: client) {
      guard let object = freshObject(of: number) ?? stored(number) else { continue }
      client.output.append { FeedLine.snapshot(object).append(to: &$0) }
    }
  }

  private func nextSnapshots(of client: Client) -> [JobNumber] {
    if let (after, last) = client.snapshots.live {
      let numbers = cards.numbers.page(after: after, limit: Limits.listPage).prefix { $0 <= last }
      let isLast = numbers.count < Limits.listPage
      client.snapshots.live = isLast ? nil : numbers.last.map { (after: $0, last: last) }
      return Array(numbers)
    }
    let numbers = client.snapshots.followed.suffix(Limits.listPage)
    client.snapshots.followed.removeLast(numbers.count)
    return numbers.reversed()
  }

  /// Begins to resume after `since`, from the store; what is gone from there is told as a gap.
  func replay(since: UInt64, to client: Client, from first: UInt64) {
    // A number from the future is of another store, of which nothing is known here.
    let known = since > sequence ? 0 : since
    if known + 1 < first, first <= sequence {
      client.output.append { FeedLine.gap(from: known + 1, to: first - 1).append(to: &$0) }
    }
    client.replayedTo = max(known, first - min(first, 1))
    markDirty(client)
  }

  /// The next events of the past; at its end the client is where everybody is.
  func replayMore(to client: Client) {
    guard let cursor = client.replayedTo else { return }
    do throws(StoreError) {
      let events = try store.events(since: cursor, limit: Limits.listPage)
      for event in events {
        client.output.append {
          FeedLine.appendEvent(
            sequence: event.sequence, at: WallTime(milliseconds: event.atMilliseconds),
            kind: event.kind, jobJSON: event.job, to: &$0)
        }
      }
      client.replayedTo = events.last?.sequence
      client.knownSequence = events.last?.sequence ?? max(cursor, client.knownSequence)
    } catch {
      note("the events cannot be read: \(error.message)")
      client.replayedTo = nil
      client.gapFrom = cursor + 1
    }
  }

  /// Samples what runs and sends what moved, to the readers for whom it is time.
  ///
  /// Whoever looked last at a job, each reader gets what it does not know yet. One that is behind
  /// gets nothing now and the newest later.
  func sendProgress(at now: Instant) {
    let due = clients.values.filter { $0.progressDue.map { $0 <= now } ?? false }
    guard !due.isEmpty else { return }
    pace.begin()
    for client in due { client.progressDue = client.nextProgress(after: now) }
    for number in attempts.keys where due.contains(where: { wants($0, number) }) { sample(number) }
    let readers = due.filter { $0.gapFrom == nil && $0.output.count < answerRoom }
    let oldest = readers.map(\.knownLook).min() ?? lastLook
    var lines: [ProgressLine] = []
    for number in attempts.keys.sorted() {
      guard let look = cards[number]?.movedAt, look > oldest, let object = object(of: number)
      else { continue }
      var line = ProgressLine(number: number, look: look)
      FeedLine.progress(object).append(to: &line.bytes)
      lines.append(line)
    }
    send(lines, to: readers)
  }

  /// One job's progress, and the look that saw it.
  private struct ProgressLine {
    let number: JobNumber
    let look: UInt64
    var bytes: [UInt8] = []
  }

  /// Readers of the whole feed that know the same get the same bytes, put together once.
  private func send(_ lines: [ProgressLine], to readers: [Client]) {
    var wholes: [UInt64: [UInt8]] = [:]
    for client in readers {
      let known = client.knownLook
      client.knownLook = lastLook
      var bytes: [UInt8] = []
      if case .feed = client.subscription {
        bytes = wholes[known] ?? lines.filter { $0.look > known }.flatMap(\.bytes)
        wholes[known] = bytes
      } else {
        for line in lines where line.look > known && wants(client, line.number) {
          bytes += line.bytes
        }
      }
      guard !bytes.isEmpty else { continue }
      client.output.append(contentsOf: bytes)
      markDirty(client)
    }
  }

  /// When progress is due to anybody who waits for it; nil while nobody does, so that nothing wakes
  /// this process.
  var nextProgress: Instant? {
    guard !attempts.isEmpty else { return nil }
    let due = clients.values.filter { client in
      switch client.subscription {
      case .none, .jobs(_, attached: false): false
      case .feed: true
      case .jobs(let numbers, attached: true): numbers.contains { isObserved($0) }
      }
    }.compactMap(\.progressDue).min()
    return due.map { max($0, pace.earliest) }
  }

  /// A reader of the feed wants to know of all jobs; a terminal reads its job's page by itself and
  /// must be told only what is seen from here.
  private func wants(_ client: Client, _ number: JobNumber) -> Bool {
    switch client.subscription {
    case .none, .jobs(_, attached: false): false
    case .feed: true
    case .jobs(let numbers, attached: true): numbers.contains(number) && isObserved(number)
    }
  }
}

extension Client {
  /// How often an attached terminal is told what is seen from here; looks are a second apart.
  private static let terminalInterval = Span.milliseconds(500)

  var listens: Bool {
    if case .none = subscription { return false }
    return true
  }

  /// Whether the client listens to this job.
  func hears(_ number: JobNumber) -> Bool {
    switch subscription {
    case .none: false
    case .feed: true
    case .jobs(let numbers, _): numbers.contains(number)
    }
  }

  /// When progress is due after `now`: at the same instants for all readers with the same interval,
  /// so that a thousand of them cost one look.
  func nextProgress(after now: Instant) -> Instant? {
    let interval: Span
    switch subscription {
    case .none, .jobs(_, attached: false), .feed(progressEvery: nil): return nil
    case .feed(progressEvery: let wanted?): interval = wanted
    case .jobs(_, attached: true): interval = Self.terminalInterval
    }
    guard interval > .zero else { return nil }
    let count = now.nanoseconds / interval.nanoseconds + 1
    return Instant(nanoseconds: 0) + interval * count
  }
}
