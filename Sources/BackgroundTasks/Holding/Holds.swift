internal import Dispatch
internal import Synchronization

/// Work that the end of a task has to wait for, within a limit.
///
/// Each hold belongs to one task, or to the program: then the ends of all tasks wait for it. When time is short
/// (after a stop, or when a task has ended and waits), its handler is called once.
final class Holds: Sendable {
  /// The default limit for the end of a task, as UIKit's background time.
  static let defaultLimit: UInt64 = 30_000_000_000
  /// The default limit of a stop, as with a runner's default grace.
  private static let defaultGrace: UInt64 = 10_000_000_000
  /// How long before the limit the handlers are called: at most this long, and at most half of the time.
  private static let warning: UInt64 = 5_000_000_000

  private let book = Mutex(HoldRegistry())
  private let clock: any TaskClock
  /// Keeps the machine awake; nil where that is impossible.
  private let wakefulness: Wakefulness?

  init(clock: any TaskClock, wakefulness: Wakefulness? = nil) {
    self.clock = clock
    self.wakefulness = wakefulness
  }

  /// Begins one; nil when the time of its task is up.
  func begin(
    _ name: String, for owner: ObjectIdentifier?, whenExpiring: (@Sendable () -> Void)? = nil
  ) -> Int? {
    let now = clock.nanoseconds
    return change { book in
      book.begin(HoldRegistry.Hold(name: name, owner: owner, whenExpiring: whenExpiring), at: now)
    }
  }

  /// Ends a hold; a second or unknown end is noted in the log.
  func end(_ number: Int) {
    guard let ready = change({ $0.end(number) }) else {
      return StandardError.say(
        "background task \(number) has already ended or never began; the call is ignored")
    }
    for action in ready { action() }
  }

  /// Begins or ends a hold, and keeps the machine awake while there is one.
  private func change<Result>(_ body: (inout HoldRegistry) -> Result) -> Result {
    book.withLock { book in
      defer { wakefulness?.note(isBusy: !book.isEmpty) }
      return body(&book)
    }
  }

  /// The task was told to stop; `deadline` on the clock, 0 = unknown.
  func stop(_ owner: ObjectIdentifier, by deadline: UInt64) {
    limit(owner, to: deadline == 0 ? clock.nanoseconds + Self.defaultGrace : deadline)
  }

  /// Calls `action` once the task has no holds, or at its limit.
  func whenReleased(by owner: ObjectIdentifier, _ action: @escaping @Sendable () -> Void) {
    let isHeld = book.withLock { $0.wait(owner, action) }
    guard isHeld else { return action() }
    let now = clock.nanoseconds
    guard let deadline = book.withLock({ $0.deadline(of: owner) }) else {
      return limit(owner, to: now + Self.defaultLimit)
    }
    if deadline <= now { giveUp(owner) }
  }

  /// The time until the limit of the task; nil when it has none.
  func remaining(of owner: ObjectIdentifier?) -> Duration? {
    guard let deadline = book.withLock({ $0.deadline(of: owner) }) else { return nil }
    let now = clock.nanoseconds
    return .nanoseconds(Int64(clamping: deadline > now ? deadline - now : 0))
  }

  private func limit(_ owner: ObjectIdentifier, to deadline: UInt64) {
    let now = clock.nanoseconds
    let left = deadline > now ? deadline - now : 0
    let end = now + left
    guard book.withLock({ $0.limit(owner, to: end) }) else { return }
    clock.call(at: end - min(Self.warning, left / 2)) { [weak self] in self?.tell(owner) }
    // End a little before the deadline: a task that is killed then has no outcome.
    clock.call(at: end - min(Self.warning / 10, left / 10)) { [weak self] in self?.giveUp(owner) }
    clock.call(at: end) { [weak self] in self?.giveUp(owner) }
  }

  private func tell(_ owner: ObjectIdentifier) {
    let handlers = book.withLock { $0.tell(owner) }
    for handler in handlers { DispatchQueue.expiration.async { handler() } }
  }

  private func giveUp(_ owner: ObjectIdentifier) {
    let (names, ready) = change { $0.giveUp(owner) }
    for name in names {
      StandardError.say("\"\(name)\" began and never ended; the task ends anyway")
    }
    for action in ready { action() }
  }
}
