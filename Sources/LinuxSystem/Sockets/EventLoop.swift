internal import CLinux

/// The events that a watcher of a descriptor asks for; hang-ups are always reported.
package struct Interest: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let readable = Interest(rawValue: 1)
  package static let writable = Interest(rawValue: 2)
  /// Exceptional conditions: pressure-stall triggers report this way (POLLPRI).
  package static let priority = Interest(rawValue: 8)
}

/// An event of one watched descriptor.
package struct Readiness: Hashable, Sendable {
  /// The number given when the descriptor was added.
  package var token: UInt64
  package var isReadable: Bool
  package var isWritable: Bool
  package var isPriority: Bool
  /// The other side closed, or there is an error; data sent before may still be read.
  package var isHangup: Bool

  init(token: UInt64, flags: UInt32) {
    self.token = token
    isReadable = flags & UInt32(CLINUX_READABLE) != 0
    isWritable = flags & UInt32(CLINUX_WRITABLE) != 0
    isPriority = flags & UInt32(CLINUX_PRIORITY) != 0
    isHangup = flags & UInt32(CLINUX_HANGUP) != 0
  }
}

/// One thread's wait for many descriptors (epoll(7)), level-triggered.
///
/// Closing a descriptor removes it only when no duplicate of it is open anywhere, so remove first.
package struct EventLoop: ~Copyable {
  /// The maximum number of events of one wait; further ones come with the next.
  package static let eventsPerWait = 256

  private let descriptor: FileDescriptor
  private var events: [clinux_event]

  package init() throws(SystemError) {
    descriptor = FileDescriptor(
      owning: try SystemError.check(clinux_epoll_create(), "make an event loop"))
    events = Array(repeating: clinux_event(), count: Self.eventsPerWait)
  }

  /// Starts watching; `token` comes back with every event.
  package borrowing func add(
    _ number: Int32, _ interest: Interest, token: UInt64
  ) throws(SystemError) {
    try SystemError.check(
      clinux_epoll_add(descriptor.number, number, interest.rawValue, token),
      "watch a descriptor")
  }

  /// Changes the requested events; with an empty interest only hang-ups are reported.
  package borrowing func modify(
    _ number: Int32, _ interest: Interest, token: UInt64
  ) throws(SystemError) {
    try SystemError.check(
      clinux_epoll_modify(descriptor.number, number, interest.rawValue, token),
      "watch a descriptor")
  }

  /// Stops watching; a descriptor that is not watched is no error.
  package borrowing func remove(_ number: Int32) {
    _ = clinux_epoll_remove(descriptor.number, number)
  }

  /// Sleeps until an event or the deadline; at the deadline the result is empty.
  ///
  /// The deadline is on `AwakeClock`; nil waits for ever, a past one only polls.
  package mutating func wait(until deadline: UInt64?) throws(SystemError) -> [Readiness] {
    while true {
      let result = unsafe clinux_epoll_wait(
        descriptor.number, &events, Int32(events.count), Timeout.nanoseconds(until: deadline))
      if result == -SystemError.interrupted { continue }
      let count = Int(try SystemError.check(result, "wait for events"))
      return events[..<count].map { Readiness(token: $0.token, flags: $0.flags) }
    }
  }
}

/// Deadlines as the durations that the kernel's calls take.
enum Timeout {
  /// Nanoseconds from now; -1 for nil (without end), 0 for the past.
  static func nanoseconds(until deadline: UInt64?) -> Int64 {
    guard let deadline else { return -1 }
    let now = AwakeClock.now()
    return deadline <= now ? 0 : Int64(clamping: deadline - now)
  }
}
