/// The layout of a page: ABI version 1, little-endian, 4096 bytes.
///
/// `page.md` beside this file documents the same layout for writers in other languages; a test compares the
/// two. Offsets and sizes are in bytes.
package enum PageLayout {
  package static let size = 4096
  package static let version: UInt32 = 1
  /// `JOBRUNP1`.
  package static let magicBytes: [UInt8] = Array("JOBRUNP1".utf8)

  // Written by the runner before the worker starts.
  package static let magic = 0
  /// u32.
  package static let versionNumber = 8
  /// u32.
  package static let pageSize = 12
  /// u64.
  package static let jobNumber = 16
  /// u64, from 1.
  package static let attempt = 24

  // Written by the worker.
  /// u64.
  package static let completed = 64
  /// u64; 0 = indeterminate.
  package static let total = 72
  /// u64; bumped by every report that changes no count.
  package static let reports = 80
  /// u32; see `PageUnit`.
  package static let unit = 88
  /// u64, nanoseconds of CLOCK_MONOTONIC; 0 = not quiet.
  package static let quietUntil = 96
  /// u64 seqlock of both texts; odd = being written.
  package static let textSequence = 128
  /// u16 length, then UTF-8.
  package static let title = 136
  /// u16 length, then UTF-8.
  package static let subtitle = 392

  // Written by the runner while the worker runs.
  /// u32, a futex word: 0 run, 1 stop.
  package static let control = 1024
  /// u32; the numbers are the caller's.
  package static let stopReason = 1028
  /// u64, nanoseconds of CLOCK_MONOTONIC.
  package static let stopDeadline = 1032
  /// u64; counts pauses and resumes, so that it is odd while the job is paused.
  package static let pauseMark = 1040
  /// u64, nanoseconds of CLOCK_MONOTONIC.
  package static let pausedSince = 1048
  /// u32; 1 = the job keeps its slot meanwhile.
  package static let keepsSlot = 1056
  /// u32; the signal that the supervisor sends in place of SIGTERM; 0 = that.
  package static let stopSignal = 1060
  /// u64, nanoseconds; the length of the job's earlier pauses.
  package static let pausedBefore = 1064

  // Written by the supervisor.
  /// u32; 1 = it has taken the attempt and starts the worker next.
  package static let begun = 1072

  // Written by the runner while the worker runs, as those before.
  /// u64, nanoseconds of CLOCK_MONOTONIC; 0 = no end is planned.
  package static let pausedUntil = 1080

  // Written by the worker at its end.
  /// u32; see `PageOutcome`.
  package static let outcome = 1088
  /// u32; the delay of outcome `deferred`.
  package static let deferSeconds = 1092
  /// u16 length, then UTF-8.
  package static let message = 1096

  /// The maximum length of a text in bytes, without its length field.
  package static let textBytes = 253
}

/// The unit of the counts of a page.
package enum PageUnit: UInt32, Hashable, Sendable {
  case items = 0
  case bytes = 1
}

/// The result that the worker declared.
package enum PageOutcome: UInt32, Hashable, Sendable {
  case none = 0
  case success = 1
  case failure = 2
  /// Not done now: try again after `deferSeconds`.
  case deferred = 3
}

/// Whether the job is paused, as its supervisor and a later runner read it from the page.
package struct PagePause: Hashable, Sendable {
  /// Counts pauses and resumes of the attempt, so that a reader knows which of two is the later.
  package var mark: UInt64
  /// The start of the pause, on `AwakeClock`.
  package var since: UInt64
  package var keepsSlot: Bool
  /// The length of the job's earlier pauses, in nanoseconds of the same clock.
  package var before: UInt64
  /// When the runner resumes the job, on `AwakeClock`; 0 = when it is asked to.
  package var until: UInt64

  package init(
    mark: UInt64 = 0, since: UInt64 = 0, keepsSlot: Bool = false, before: UInt64 = 0,
    until: UInt64 = 0
  ) {
    self.mark = mark
    self.since = since
    self.keepsSlot = keepsSlot
    self.before = before
    self.until = until
  }

  package var isPaused: Bool { mark % 2 == 1 }
}

/// A request to stop, as the worker reads it from its page.
package struct PageStop: Hashable, Sendable {
  /// 0 = no reason.
  package var reason: UInt32
  /// When the worker will be killed, on `AwakeClock`.
  package var deadline: UInt64

  /// The reason of a job that has reached its time limit, which a supervisor on another machine enforces
  /// itself.
  package static let limitReason: UInt32 = 5

  package init(reason: UInt32, deadline: UInt64) {
    self.reason = reason
    self.deadline = deadline
  }
}
