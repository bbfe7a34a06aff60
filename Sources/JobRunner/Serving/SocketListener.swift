import JobCore
import JobWire
import LinuxSystem

/// The socket at which others find this runner.
final class SocketListener: Part {
  private let loop: Reactor
  private var hasRoom: () -> Bool = { false }
  private var accepted: (consuming UnixConnection) -> Void = { _ in }
  private var trouble: (String) -> Void = { _ in }
  private var listener: UnixListener
  /// The identity of the listener's file; another file at its name is not ours.
  private var mark: FileMark?
  /// When to accept connections again after a pause; nil = now.
  private(set) var nextDue: Instant?

  /// Others find the socket at `path` from now on, and wait.
  init(_ listener: consuming UnixListener, at path: String, loop: Reactor) {
    self.loop = loop
    self.listener = listener
    mark = FileMark(path: path)
  }

  /// Passes each new connection to `accepted`; `hasRoom` returns whether more can be served, and `trouble` gets
  /// a sentence about each problem.
  func begin(
    hasRoom: @escaping () -> Bool, accepted: @escaping (consuming UnixConnection) -> Void,
    trouble: @escaping (String) -> Void
  ) throws(SystemError) {
    self.hasRoom = hasRoom
    self.accepted = accepted
    self.trouble = trouble
    try watch()
  }

  /// Whether the file at this path is the listener's own.
  ///
  /// Not where neither is known: a socket that was removed while it was made has no mark, as no file has.
  func isAt(_ path: String) -> Bool { mark != nil && FileMark(path: path) == mark }

  /// Listens at a new socket; clients that had reached the old one are served.
  func move(to renewed: consuming UnixListener, at path: String) throws(SystemError) {
    accept(atMost: .max)
    loop.remove(listener.number)
    listener = renewed
    // A socket that cannot be watched is useless: it is made again.
    mark = nil
    try watch()
    mark = FileMark(path: path)
  }

  /// Listens again after a pause.
  func act(at now: Instant) {
    nextDue = nil
    want(.readable)
  }

  private func watch() throws(SystemError) {
    // Disconnected clients are handled first, to make space for new ones.
    try loop.watch(listener.number, afterOthers: true) { [unowned self] _ in
      accept(atMost: Limits.acceptsAtOnce)
    }
  }

  /// Takes the connections that wait.
  private func accept(atMost most: Int) {
    var taken = 0
    do throws(SystemError) {
      // Some of the clients just accepted may have disconnected, which makes space before others are refused.
      while taken < most, taken == 0 || hasRoom(), let connection = try listener.accept() {
        accepted(connection)
        taken += 1
      }
    } catch {
      // Pending connections keep the listener readable: without a pause the loop would never sleep.
      trouble("no connection can be accepted: \(error)")
      want([])
      nextDue = AwakeClock.instant(in: .seconds(1))
    }
  }

  private func want(_ interest: Interest) {
    do throws(SystemError) {
      try loop.change(listener.number, to: interest)
    } catch {
      trouble("\(error)")
    }
  }
}
