internal import Glibc

/// Processor time of the calling thread (`CLOCK_THREAD_CPUTIME_ID`), which the load of a shared machine
/// does not change.
package enum ThreadClock {
  /// Nanoseconds since the thread started.
  package static func nanoseconds() -> UInt64 {
    shown(by: CLOCK_THREAD_CPUTIME_ID)
  }
}
