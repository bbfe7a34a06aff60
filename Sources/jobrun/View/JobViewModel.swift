import JobCore
import JobWire

/// All that a terminal shows of one job at one instant; a value, so that what is drawn can be tested.
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
  /// Counts up while something moves.
  var frame = 0
  /// Whether `y` and `n` are read here.
  var takesKeys = false
  /// What it waits for stands above it already.
  var hidesReason = false
  /// How many of many jobs run and failed, where they are shown as one.
  var tally: Tally?
  /// What is wrong with the watching itself: `runner lost; reconnecting…`.
  var notice: String?

  /// How several jobs are that are shown as one.
  struct Tally: Hashable, Sendable {
    var running = 0
    var waiting = 0
    var failed = 0
    var cancelled = 0

    /// Each in words and as a sign.
    var parts: [(text: String, sign: String, style: Line.Style)] {
      [
        ("\(running) running", "▸\(running)", .plain),
        ("\(failed) failed", failed > 0 ? "✗\(failed)" : "", failed > 0 ? .bad : .plain),
      ] + (cancelled > 0 ? [("\(cancelled) cancelled", "■\(cancelled)", .warning)] : [])
    }

    var text: String { parts.map { $0.text }.joined(separator: "  ") }
  }

  init(_ job: JobStatus) {
    self.job = job
  }

  /// Done so far; 0 before the first report.
  var completed: UInt64 { job.progress?.completed ?? 0 }
  /// 0 = nobody knows.
  var total: UInt64 { job.progress?.total ?? 0 }

  /// What a bar and a percentage are drawn from; of many jobs the parts of those that run count, too.
  var drawn: (completed: UInt64, total: UInt64) {
    guard let progress = job.progress else { return (0, 0) }
    guard tally != nil, let fraction = progress.fraction else { return progress.drawn }
    return (UInt64(max(0, fraction) * 1_000_000), 1_000_000)
  }
}

extension JobViewModel {
  /// What the clocks of a live line show, in seconds.
  struct Clocks: Hashable {
    var elapsed: UInt64
    var unchanged: UInt64?
    /// Rounded up, as it is shown.
    var grace: UInt64?
  }

  /// As long as they show the same and nothing happens, a line need not be drawn again.
  var clocks: Clocks {
    Clocks(
      elapsed: elapsed.nanoseconds / 1_000_000_000,
      unchanged: unchanged.map { $0.nanoseconds / 1_000_000_000 },
      grace: grace.map { ($0.nanoseconds + 999_999_999) / 1_000_000_000 })
  }
}
