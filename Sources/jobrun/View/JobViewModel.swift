import JobCore
import JobWire

/// The display of one job at one instant; a value, so that drawing can be tested.
struct JobViewModel: Hashable, Sendable {
  var job: JobStatus
  /// Time since the attempt started, or since the submission while it waits.
  var elapsed = Interval.zero
  /// Units a second.
  var rate: Double?
  /// Time left.
  var remaining: Interval?
  /// How long its counts have not changed, when that is long for it, asked or not.
  var unchanged: Interval?
  /// Until it is killed; nil unless stopping.
  var grace: Interval?
  /// Until its pause ends by itself; nil unless it does.
  var pauseLeft: Interval?
  /// Counts up while something moves.
  var frame = 0
  /// Whether `y` and `n` are read here.
  var takesKeys = false
  /// Whether it is said where it runs, unless that is here.
  var showsPlace = false
  /// Whether its reason is already shown above it.
  var hidesReason = false
  /// The counts of running and failed jobs, if several are shown as one.
  var tally: Tally?
  /// A problem with the watching itself: `runner lost; reconnecting…`.
  var notice: String?

  /// How several jobs are that are shown as one.
  struct Tally: Hashable, Sendable {
    var running = 0
    var paused = 0
    var waiting = 0
    var failed = 0
    var cancelled = 0

    /// Each as words and as a sign.
    var parts: [(text: String, sign: String, style: Line.Style)] {
      [
        ("\(running) running", "▸\(running)", .plain),
        ("\(failed) failed", failed > 0 ? "✗\(failed)" : "", failed > 0 ? .bad : .plain),
      ] + (paused > 0 ? [("\(paused) paused", "‖\(paused)", .warning)] : [])
        + (cancelled > 0 ? [("\(cancelled) cancelled", "■\(cancelled)", .warning)] : [])
    }

    var text: String { parts.map { $0.text }.joined(separator: "  ") }
  }

  init(_ job: JobStatus) {
    self.job = job
  }

  /// The completed count; 0 before the first report.
  var completed: UInt64 { job.progress?.completed ?? 0 }
  /// 0 = unknown.
  var total: UInt64 { job.progress?.total ?? 0 }

  /// The counts for bar and percentage; for several jobs, running ones count in part.
  var drawn: (completed: UInt64, total: UInt64) {
    guard let progress = job.progress else { return (0, 0) }
    guard tally != nil, let fraction = progress.fraction else { return progress.drawn }
    return (UInt64(max(0, fraction) * 1_000_000), 1_000_000)
  }
}

extension JobViewModel {
  /// The values of a live line's clocks, in seconds.
  struct Clocks: Hashable {
    var elapsed: UInt64
    var unchanged: UInt64?
    /// Rounded up, as it is shown.
    var grace: UInt64?
    /// Rounded up, too.
    var pauseLeft: UInt64?
  }

  /// A line need not be redrawn while these stay the same and no event arrives.
  var clocks: Clocks {
    Clocks(
      elapsed: elapsed.nanoseconds / 1_000_000_000,
      unchanged: unchanged.map { $0.nanoseconds / 1_000_000_000 },
      grace: grace.map(Self.roundedUp), pauseLeft: pauseLeft.map(Self.roundedUp))
  }

  private static func roundedUp(_ span: Interval) -> UInt64 {
    (span.nanoseconds + 999_999_999) / 1_000_000_000
  }
}
