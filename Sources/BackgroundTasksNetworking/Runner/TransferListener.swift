internal import BackgroundTasks
internal import Foundation
internal import JobClient
internal import JobCore
internal import JobWire
internal import LinuxSystem
internal import Synchronization

/// Receives the runner's events for this program's transfers: one thread for all of them, while there are
/// any.
final class TransferListener: Sendable {
  /// Gets the status of a job; nil = the runner no longer knows it.
  typealias Taker = @Sendable (JobStatus?) -> Void

  private struct State {
    var takers: [JobNumber: Taker] = [:]
    /// Jobs to be queried once: the feed may have reported them before they were known here.
    var unseen: [JobNumber] = []
    /// Wakes the thread; nil while there is none.
    var wakeup: WakeupPipe?
  }

  static let shared = TransferListener()

  private let state = Mutex(State())

  /// Reports all changes of a job, starting with its current status, until it has ended.
  func watch(_ number: JobNumber, _ taker: @escaping Taker) {
    let wakeup = state.withLock { state -> (WakeupPipe, isNew: Bool)? in
      state.takers[number] = taker
      state.unseen.append(number)
      if let wakeup = state.wakeup { return (wakeup, false) }
      // Without a pipe there are no events until the program starts again.
      guard let wakeup = try? WakeupPipe() else { return nil }
      state.wakeup = wakeup
      return (wakeup, true)
    }
    guard let (pipe, isNew) = wakeup else { return }
    guard isNew else { return pipe.ring() }
    let thread = Thread { RunnerThread(Listening(self), pipe).run() }
    thread.name = "jobrun transfers"
    thread.start()
  }

  fileprivate func endIfIdle() -> Bool {
    state.withLock { state in
      guard state.takers.isEmpty else { return false }
      state.wakeup = nil
      return true
    }
  }

  fileprivate func removeUnseen(all: Bool) -> [JobNumber] {
    state.withLock { state in
      defer { state.unseen = [] }
      return all ? state.takers.keys.sorted() : state.unseen.filter { state.takers[$0] != nil }
    }
  }

  fileprivate func tell(_ number: JobNumber, _ status: JobStatus?) {
    let isOver = status.map { $0.state == .ended } ?? true
    let taker = state.withLock { state in
      isOver ? state.takers.removeValue(forKey: number) : state.takers[number]
    }
    taker?(status)
  }
}

/// The thread's part.
private final class Listening: RunnerAudience {
  private let listener: TransferListener
  /// Unanswered queries, by their request numbers.
  private var looks: [UInt64: JobNumber] = [:]
  /// The runner has skipped events, as this connection was too slow.
  private var hasMissed = false

  private static let progressHertz = 4

  init(_ listener: TransferListener) { self.listener = listener }

  func endIfIdle() -> Bool { listener.endIfIdle() }

  func makeLink() throws(WireError) -> RunnerLink { try BGTaskScheduler.shared.runnerLink() }

  func greet(on link: RunnerLink) throws(WireError) {
    looks = [:]
    _ = try link.send(.feed(since: nil, progressHertz: Self.progressHertz))
    try look(at: listener.removeUnseen(all: true), on: link)
  }

  func speak(on link: RunnerLink) throws(WireError) {
    try look(at: listener.removeUnseen(all: hasMissed), on: link)
    hasMissed = false
  }

  private func look(at numbers: [JobNumber], on link: RunnerLink) throws(WireError) {
    for number in numbers {
      // Connection lost: all jobs are queried on the next one.
      guard let request = try link.send(.show(.number(number))) else { return }
      looks[request] = number
    }
  }

  func receive(_ line: RunnerLine) {
    switch line {
    case .reply(.ok(let id, .job(let status, _))):
      if looks.removeValue(forKey: id) != nil { listener.tell(status.number, status) }
    case .reply(.error(let id, let error)):
      guard let number = id.flatMap({ looks.removeValue(forKey: $0) }) else {
        return StandardError.say(error.message)
      }
      if error.code == .notFound { listener.tell(number, nil) }
    case .feed(.event(_, _, _, let status)), .feed(.snapshot(let status)),
      .feed(.progress(let status)):
      listener.tell(status.number, status)
    case .feed(.gap): hasMissed = true
    case .reply, .feed, .host: break
    }
  }
}
