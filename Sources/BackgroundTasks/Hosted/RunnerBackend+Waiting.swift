internal import Dispatch
internal import JobClient
internal import JobWire
internal import LinuxSystem
internal import Synchronization

extension RunnerBackend {
  /// Reads the tasks once and then follows the runner's feed: reading them again for each line would take time
  /// proportional to the history.
  func wait(until condition: @escaping @Sendable ([BGTaskRecord]) -> Bool) async {
    guard let wakeup = try? WakeupPipe() else { return }
    let isCancelled = Flag()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.request.async {
          do throws(WireError) {
            try self.wait(wakeup, unless: isCancelled, until: condition)
          } catch {
            StandardError.say("waiting for the tasks failed: \(error.message)")
          }
          continuation.resume()
        }
      }
    } onCancel: {
      isCancelled.set()
      wakeup.ring()
    }
  }

  private func wait(
    _ wakeup: WakeupPipe, unless isCancelled: Flag, until condition: ([BGTaskRecord]) -> Bool
  ) throws(WireError) {
    let bundle = try bundle()
    let asking = try link()
    let listening = try link()
    var records: [BGTaskRecord] = []
    /// Whether they are the runner's complete records.
    var areWhole = false
    while !isCancelled.isSet {
      if listening.isLost {
        // Before reading the records, so that no event is missed in between.
        _ = try listening.ask(.feed(since: nil, progressHertz: 0))
        areWhole = false
      }
      if !areWhole { records = try self.records(of: bundle, on: asking) }
      if condition(records) { return }
      areWhole = true
      guard let number = listening.number else { continue }
      wakeup.wait(beside: number)
      guard try hasInput(number), case .lines(let lines) = try listening.receive() else { continue }
      for case .feed(let line) in lines {
        switch line {
        case .gap: areWhole = false
        case .event(_, _, _, let job), .snapshot(let job), .progress(let job):
          if bundle.owns(job) { records.note(BGTaskRecord(job)) }
        case .brief, .dropped: continue
        }
      }
      // A place in the line changes with the jobs before it, without a line in the feed.
      guard records.contains(where: { $0.position != nil }) else { continue }
      for record in try self.records(of: bundle, on: asking, all: false) { records.note(record) }
    }
  }

  private func hasInput(_ number: Int32) throws(WireError) -> Bool {
    try WireError.from(.internal) { () throws(SystemError) in
      try Poll.wait(number, .readable, until: 0)
    }
  }
}

extension [BGTaskRecord] {
  /// Applies the record of one task; later lines after its end are ignored.
  fileprivate mutating func note(_ record: BGTaskRecord) {
    let place = lastIndex { $0.number <= record.number }
    guard let place, self[place].number == record.number else {
      return insert(record, at: place.map { $0 + 1 } ?? 0)
    }
    if self[place].state != .ended { self[place] = record }
  }
}

/// A flag that is set once, from any thread.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() {
    value.store(true, ordering: .releasing)
  }
}
