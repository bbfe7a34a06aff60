import JobCore
import JobRuntime
import JobWire

// What the connections are told of this runner's jobs.
extension Runner: JobDirectory {
  var liveNumbers: OrderedNumbers { cards.numbers }
  var isAnyRunning: Bool { !attempts.isEmpty }
  var runningNumbers: [JobNumber] { attempts.keys.sorted() }

  func lastLook(at number: JobNumber) -> UInt64? { cards[number]?.movedAt }

  /// Tells what a turn made durable: answers first, then the feed.
  func publish(_ turn: Turn) {
    for answer in turn.answers { respond(to: answer) }
    for object in turn.unstored { feed.warn(of: object) }
    feed.tell(turn.lines, at: wallClock())
  }

  /// Adds what is read from the store as the client takes it: lists, and the feed's past.
  func fill(_ client: Client) {
    while client.output.count < connections.answerRoom {
      if client.cursor.replayedTo != nil { feed.replayMore(to: client) }
      if !client.snapshots.isEmpty { feed.snapshotMore(to: client) }
      if !client.listings.isEmpty { lists.listMore(to: client) }
      if client.cursor.replayedTo == nil, client.snapshots.isEmpty, client.listings.isEmpty {
        return
      }
    }
  }

  /// The client's share in attached terminals and feeds ends.
  func unsubscribe(_ client: Client) {
    if case .jobs(let numbers, attached: true) = client.subscription {
      for number in numbers { cards[number]?.attachedCount -= 1 }
    }
    client.subscription = .none
    client.progressDue = nil
    client.cursor.leave()
  }
}
