internal import CLinux

/// A single wait for a few descriptors (ppoll(2)), for programs too small for an event loop.
package enum Poll {
  /// Sleeps until one of at most 16 descriptors is ready, or the deadline.
  ///
  /// The deadline is on `AwakeClock`; nil waits for ever. The result holds the ready ones, with their index
  /// in `descriptors` as token; it is empty at the deadline.
  package static func wait(
    _ descriptors: [(number: Int32, interest: Interest)], until deadline: UInt64?
  ) throws(SystemError) -> [Readiness] {
    let numbers = descriptors.map { $0.number }
    while true {
      var flags = descriptors.map { $0.interest.rawValue }
      let result = unsafe clinux_poll(
        numbers, &flags, Int32(numbers.count), Timeout.nanoseconds(until: deadline))
      if result == -SystemError.interrupted { continue }
      if try SystemError.check(result, "wait for descriptors") == 0 { return [] }
      return flags.enumerated().compactMap { index, flags in
        flags == 0 ? nil : Readiness(token: UInt64(index), flags: flags)
      }
    }
  }

  /// Sleeps until one descriptor is ready; false at the deadline.
  package static func wait(
    _ number: Int32, _ interest: Interest = .readable, until deadline: UInt64?
  ) throws(SystemError) -> Bool {
    try !wait([(number, interest)], until: deadline).isEmpty
  }
}
