/// The pace of a job and its remaining time.
///
/// A value without a clock. The runner keeps one for each job, feeds it every sample, and publishes its result,
/// so that all clients show the same.
///
/// The datum is a *step*: the time from one change of the count to the next. The sampling rate therefore has no
/// influence, and a job that takes a minute a step is judged like one that takes a second. Half of the estimate
/// are the recent steps; the other half, the mean over the whole run, smooths that of work that comes in bursts.
/// While a step is no older than usual, the remaining time counts down; only a late step makes it grow.
package struct ProgressEstimator: Hashable, Sendable {
  /// A step this old weighs 1/e of a fresh one: a quarter of the run, within these limits, but at least four
  /// usual steps.
  ///
  /// A short run changes its pace within seconds; in a long one the remaining time should not jump.
  private static let memoryShortest = 4.0
  private static let memoryLongest = 20.0
  private static let memorySteps = 4.0
  /// Changes closer together than this are one step, so that a rate is not made of noise.
  private static let stepShortest = Interval.milliseconds(100)
  /// The time before the first estimate of an even run, and of an uneven one.
  static let minimumSpan = Interval.milliseconds(750)
  static let minimumSpanOfUneven = Interval.seconds(2)
  /// Share of the whole run's mean in the rate.
  private static let wholeShare = 0.5
  /// A step that takes this many times the usual is an outlier until a second one follows.
  private static let accident = 3.0
  /// A first step that is so much slower than this many others, for at least a second, was a preparation.
  private static let enoughOthers = 8.0
  /// Seconds that are left at least of a step that should be nearly over, if it is not a short one.
  private static let minimumLeft = 1.0

  /// Steps that are remembered one by one.
  private static let maximumMarks = 24

  struct Look: Hashable, Sendable {
    var at: Instant
    var completed: UInt64
  }

  /// Steps added up, the older the less.
  struct Steps: Hashable, Sendable {
    var seconds = 0.0
    var units = 0.0
    var count = 0.0
  }

  /// Where the watching began, or where a preparation was over.
  private(set) var first: Look?
  /// Where the step began that is not over; nil until a beginning has been seen.
  private(set) var begun: Look?
  private var latest: Look?
  /// Some of the steps' ends, evenly over the whole run.
  private(set) var marks: [Look] = []
  /// Keep one of this many steps.
  private var stride = 1
  private var skipped = 0
  private var advancedAt: Instant?
  private var advances = 0
  private var recent = Steps()
  private var whole = Steps()
  /// The first step, until it is known whether it was a preparation.
  private var opening: Steps?
  /// The first step was a preparation, and no longer counts.
  private var isPrepared = false
  /// Seconds of the longest step.
  private var longest = 0.0
  /// It started over; how often it will do so is unknown.
  package private(set) var hasRestarted = false

  package init() {}

  /// Adds one sample: `completed` units were done at `now`.
  ///
  /// A count that shrank, or a clock that ran backwards, begins a new run; a count that lost more than half
  /// begins a new round, and then the number of rounds is unknown.
  package mutating func update(completed: UInt64, at now: Instant) {
    let look = Look(at: now, completed: completed)
    guard let latest else { return begin(look, isBeginning: completed == 0) }
    guard completed >= latest.completed, now >= latest.at else {
      let isRound = hasRestarted || completed < latest.completed / 2 + latest.completed % 2
      self = ProgressEstimator()
      hasRestarted = isRound
      return begin(look, isBeginning: true)
    }
    self.latest = look
    guard completed > latest.completed else { return }
    advances += 1
    advancedAt = now
    // The step that was under way at the first sample began at an unknown time.
    guard let begun else { return begin(look, isBeginning: true) }
    guard now - begun.at >= Self.stepShortest else { return }
    end(stepFrom: begun, to: look)
  }

  private mutating func begin(_ look: Look, isBeginning: Bool) {
    first = look
    latest = look
    begun = isBeginning ? look : nil
  }

  private mutating func end(stepFrom before: Look, to look: Look) {
    let length = Self.seconds(look.at - before.at)
    let units = Double(look.completed - before.completed)
    let step = believed(length, units)
    longest = max(longest, length)
    let memory = memory(at: look.at, step)
    let kept = Self.decay(step / memory)
    // A long step weighs as if it had been sampled continuously.
    let weight = memory * (1 - kept) / step
    recent.seconds = recent.seconds * kept + step * weight
    recent.units = recent.units * kept + units * weight
    recent.count = recent.count * kept + weight
    whole.seconds += step
    whole.units += units
    whole.count += 1
    begun = look
    keep(look)
    if whole.count == 1 { opening = whole }
    if whole.count > 2 { judgeOpening() }
  }

  private mutating func keep(_ look: Look) {
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    marks.append(look)
    guard marks.count >= Self.maximumMarks else { return }
    var kept: [Look] = []
    for index in marks.indices where index % 2 == 1 { kept.append(marks[index]) }
    marks = kept
    stride *= 2
  }

  /// Before the first step a job may have prepared itself, which it does only once.
  private mutating func judgeOpening() {
    guard let opening, let others else { return }
    if others.count == 2, opening.units * 2 == others.units {
      self.opening = nil
      if opening.seconds > others.seconds / 2 * Self.accident {
        (recent, whole, longest) = (others, others, others.seconds)
      }
    } else if marks.count + 1 >= Self.maximumMarks || stride > 1 {
      self.opening = nil
    } else if others.count >= Self.enoughOthers, others.seconds >= 1, seemsPrepared {
      // Where steps are not all of one size, a slow beginning may come again: it takes more of them.
      let lengths = zip(marks, marks.dropFirst()).map { Self.seconds($1.at - $0.at) }
      guard let longest = lengths.max(), longest * Self.accident < opening.seconds else { return }
      (recent, whole, self.longest) = (others, others, longest)
      first = marks[0]
      isPrepared = true
      self.opening = nil
    }
  }

  /// The steps after the first one, while that is not judged.
  var others: Steps? {
    guard let opening, whole.count > opening.count else { return nil }
    return Steps(
      seconds: whole.seconds - opening.seconds, units: whole.units - opening.units,
      count: whole.count - opening.count)
  }

  /// Whether the first step was so slow that it may have been a preparation.
  var seemsPrepared: Bool {
    guard let opening, let others else { return false }
    return opening.units * others.seconds * Self.accident < others.units * opening.seconds
  }

  /// The effective length of a step: a single outlier is not taken for a change of pace.
  private func believed(_ length: Double, _ units: Double) -> Double {
    guard whole.count >= 2 else { return length }
    let usual = max(units * recent.seconds / recent.units, recent.seconds / recent.count)
    return min(length, max(usual * Self.accident, longest * 1.5, 1))
  }

  private func memory(at now: Instant, _ step: Double) -> Double {
    let quarter = first.map { Self.seconds(now - $0.at) / 4 } ?? 0
    let usual = recent.count > 0 ? min(recent.seconds / recent.count, step) : step
    return max(
      min(Self.memoryLongest, max(Self.memoryShortest, quarter)), usual * Self.memorySteps)
  }
}

// MARK: Answers

extension ProgressEstimator {
  /// Units per second; nil until it means something: two advances in two seconds, or an even pace for three
  /// quarters of one.
  package func rate(at now: Instant) -> Double? { pace(at: now)?.rate }

  /// The usual time between two changes of the count; nil before one has been seen from its beginning.
  package var interval: Interval? {
    recent.count > 0 ? Self.span(recent.seconds / recent.count) : nil
  }

  /// When the count changed last, as far as was seen; nil before anything was done.
  package var changedAt: Instant? {
    // Work before the first sample is assumed to have made no progress since then.
    advancedAt ?? ((latest?.completed ?? 0) > 0 ? first?.at : nil)
  }

  /// Time until `total` units are done; nil until it means something, after a new beginning, and while
  /// no advance comes for much longer than ever before.
  package func remaining(total: UInt64, at now: Instant) -> Interval? {
    guard !hasRestarted, total > 0, let latest, let pace = pace(at: now), !isStalled(at: now) else {
      return nil
    }
    guard latest.completed < total else { return .zero }
    // The current step and the following ones.
    let left = Double(total - pace.begun.completed)
    let step = min(pace.units, left)
    let length = step * pace.secondsPerUnit
    // A late step is assumed to take as long again as its delay.
    let present = max(length - pace.age, min(length / 10, Self.minimumLeft)) + pace.late
    let seconds = (left - step) / pace.rate + present
    // A hundred years are no estimate.
    return seconds < 3e9 ? Self.span(seconds) : nil
  }

  /// Time until `total` units are done; before this run has its own rate, the time of earlier runs; at its
  /// beginning, mainly of those with about its pace.
  ///
  /// `expected`: the time of a whole earlier run; nil when there are none. `elapsed`: how long this one has
  /// been running.
  package func remaining(
    total: UInt64, at now: Instant, expected: Interval?, elapsed: Interval
  ) -> Interval? {
    let own = remaining(total: total, at: now)
    guard let expected, total > 0, let latest, latest.completed < total, !hasRestarted,
      !isStalled(at: now)
    else { return own }
    // A run that takes longer than all earlier ones is its own best evidence.
    guard elapsed < expected else { return own }
    let left = Interval(nanoseconds: expected.nanoseconds - elapsed.nanoseconds)
    guard let own else { return left }
    // The earlier runs must agree with the rate: runs at another pace do not apply to this one.
    let ratio = Self.seconds(left) / max(Self.seconds(own), 0.001)
    guard ratio > 0.5, ratio < 2 else { return own }
    // 42 % of the word a quarter of the way, 13 % half-way, 2 % at three quarters.
    let missing = 1 - Double(latest.completed) / Double(total)
    let share = missing * missing * missing
    return Self.span(Self.seconds(own) * (1 - share) + Self.seconds(left) * share)
  }

  /// Without an advance for ten seconds and for three times the longest step so far.
  package func isStalled(at now: Instant) -> Bool {
    guard let advancedAt else { return false }
    return Self.seconds(now - advancedAt) > max(10, longest * 3)
  }

  /// The pace, and the position within the current step.
  private struct Pace {
    var begun: Look
    /// Units of a usual step.
    var units: Double
    /// By the completed steps.
    var secondsPerUnit: Double
    /// Seconds since the present step began.
    var age: Double
    /// The seconds by which it is overdue.
    var late: Double
    /// Units per second, including the delay of the current step.
    var rate: Double
  }

  private func pace(at now: Instant) -> Pace? {
    guard let first, let begun, let latest, advances >= 2, recent.count > 0,
      isPrepared || isLongEnough(from: first, to: begun, at: max(now, latest.at))
    else { return nil }
    let units = recent.units / recent.count
    let age = Self.seconds(now - begun.at)
    let secondsPerUnit = 1 / rate(late: 0)
    let late = max(0, age - units * secondsPerUnit)
    return Pace(
      begun: begun, units: units, secondsPerUnit: secondsPerUnit, age: age, late: late,
      rate: rate(late: late))
  }

  private func rate(late: Double) -> Double {
    (1 - Self.wholeShare) * recent.units / (recent.seconds + late)
      + Self.wholeShare * whole.units / (whole.seconds + late)
  }

  static func seconds(_ span: Interval) -> Double { Double(span.nanoseconds) / 1e9 }

  static func span(_ seconds: Double) -> Interval {
    Interval(nanoseconds: UInt64(seconds * 1e9))
  }

  /// e to the power of −`times`, as (1 + x/1024)^−1024: right to 0.05 % where it matters, and without
  /// a mathematics library.
  private static func decay(_ times: Double) -> Double {
    var power = 1 + times / 1024
    for _ in 0..<10 { power *= power }
    return 1 / power
  }
}
