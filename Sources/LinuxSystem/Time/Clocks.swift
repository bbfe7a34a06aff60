internal import Glibc

/// The machine's awake clock (`CLOCK_MONOTONIC`): a suspended machine does not advance it.
package enum AwakeClock {
  /// Nanoseconds since boot.
  package static func now() -> UInt64 { shown(by: CLOCK_MONOTONIC) }

  /// Nanoseconds since boot that this clock did not count, as the machine slept.
  package static func slept() -> UInt64 {
    let awake = now()
    let all = shown(by: CLOCK_BOOTTIME)
    return all - min(all, awake)
  }
}

/// Nanoseconds of a clock of the kernel (clock_gettime(2)).
func shown(by clock: clockid_t) -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The time of day, for showing only.
package enum WallClock {
  /// Milliseconds since 1970, UTC.
  package static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Identifies a boot of the machine.
package enum Boot {
  /// The kernel's random name of this boot; empty when there is none.
  package static func identifier() -> String {
    guard let bytes = try? File.readAll("/proc/sys/kernel/random/boot_id", limit: 256) else {
      return ""
    }
    return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }
}
