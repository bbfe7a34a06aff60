internal import Glibc

/// Time that the calling thread had a processor (`CLOCK_THREAD_CPUTIME_ID`): what others take of a
/// shared machine is no cost of ours.
package enum ThreadClock {
  /// Nanoseconds since the thread began.
  package static func nanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
