import JobCore
import JobRecognition
import TestKit

/// What is shown of one mixture, held against the truth.
package struct MixtureTrial {
  /// Shown values that a person would be deceived by.
  package enum Lie: String, CaseIterable, Sendable {
    /// More than was done since the program last told.
    case ahead
    /// As good as complete, with more than a tenth to go.
    case nearlyDone
    /// A smaller share than before, as if of the same.
    case falls
    /// The share of one of several parts, as if of the whole.
    case unlabelled
    /// A share of work of which nothing is told.
    case invented
    /// A time left of what is complete, or of one part.
    case timeLeft
    /// A time left that differs from what its rate gives.
    case disagrees
  }

  package struct Fault: Sendable {
    package var lie: Lie
    package var text: String
  }

  package let mixture: Mixture
  package private(set) var looks = 0
  /// Whether a share was shown about half-way through a bar.
  package private(set) var isUnderstood = false
  package private(set) var fault: Fault?

  /// Seconds between two looks.
  private static let interval = 0.25
  /// Of what a scanner reads at one time, only so many bytes at the end.
  private static let pieceBytes = 16 * 1024
  /// Shares are rounded when they are written and when they are read.
  private static let rounding = 0.011

  private let seed: UInt64
  private var view = ExternalProgress(OutputRecogniser(), withFiles: true)
  private var estimator = ProgressEstimator()
  private var unit: PageSample.Unit?
  private var last: (share: Double, note: String?)?
  /// When the program last told how far it is, on a line that could be read.
  ///
  /// Of output that floods, only the end is read, as in the runner. The end of a bar and the beginning of the next
  /// may be in the part that is not: then nothing that can be read differs from a bar that rests, and what is shown
  /// may be as old as the last line that was read. From the first line of the next bar that is read, it may not.
  private var toldAt = 0.0

  /// Shows the mixture of this seed all the way, or up to the first lie.
  package init(seed: UInt64) {
    self.seed = seed
    mixture = Mixture(seed: seed)
    var rest = mixture.pieces[...]
    var cuts = SeededGenerator(seed: ~seed)
    var time = 0.0
    while time < mixture.end, fault == nil {
      let pieces = rest.prefix { $0.time <= time }
      rest = rest.dropFirst(pieces.count)
      let bytes = pieces.flatMap(\.text.utf8)
      toldAt = Self.told(in: pieces) ?? toldAt
      receive(bytes, at: Self.instant(time), &cuts)
      view.rest(at: Self.instant(time))
      looks += 1
      judge(at: time)
      time += Self.interval
    }
  }

  /// When the newest of these pieces tells how far the program is; nil if none that does is read whole.
  private static func told(in pieces: ArraySlice<Mixture.Piece>) -> Double? {
    var length = 0
    for piece in pieces.reversed() {
      length += piece.text.utf8.count
      // Of the first line of what is read, the beginning is missing.
      guard length < pieceBytes else { return nil }
      if piece.isProgress { return piece.time }
    }
    return nil
  }

  private static func instant(_ time: Double) -> Instant {
    Instant(nanoseconds: 1_000_000_000 + UInt64(time * 1e9))
  }

  /// As the runner's scanner does it; output may be cut anywhere.
  private mutating func receive(_ bytes: [UInt8], at now: Instant, _ cuts: inout SeededGenerator) {
    var rest = bytes[...]
    if rest.count > Self.pieceBytes {
      view.skip()
      rest = rest.suffix(Self.pieceBytes)
    }
    while !rest.isEmpty {
      let count = cuts.below(4) == 0 ? 1 + cuts.below(rest.count) : rest.count
      view.receive(rest.prefix(count), at: now)
      rest = rest.dropFirst(count)
    }
  }

  private mutating func judge(at time: Double) {
    guard let finding = view.finding else {
      last = nil
      return
    }
    let counts = finding.counts
    guard counts.total > 0, !counts.isComplete else {
      if counts.isComplete { last = nil }
      return
    }
    let share = Double(counts.completed) / Double(counts.total)
    judge(share, finding, at: time)
    judgeTime(counts, isPart: finding.isPart, at: time)
    last = (share, finding.note)
    if mixture.isHalfway(at: time) { isUnderstood = true }
  }

  private mutating func judge(
    _ share: Double, _ shown: Finding, at time: Double
  ) {
    let note = shown.note
    // What is labelled as that of an epoch is so.
    let isOfEpoch = shown.isPart && note?.hasPrefix("epoch") == true
    let truth =
      isOfEpoch
      ? mixture.truthOfEpoch(at: time, told: toldAt) : mixture.mostTrue(from: toldAt, to: time)
    if mixture.plot == .none {
      report(.invented, "\(share) shown", note, at: time)
    } else if share > truth + Self.rounding {
      report(.ahead, "\(share) shown, \(truth) true", note, at: time)
    } else if share >= 0.99, truth < 0.9 {
      report(.nearlyDone, "\(share) shown, \(truth) true", note, at: time)
    } else if mixture.stretch(at: toldAt) > 0, note == nil {
      report(.unlabelled, "\(share) shown of bar \(mixture.stretch(at: toldAt))", note, at: time)
    } else if let last, share < last.share - 1e-9, note == nil, last.note == nil {
      report(.falls, "\(last.share) falls to \(share)", note, at: time)
    }
  }

  /// As the runner estimates it.
  private mutating func judgeTime(_ counts: ProgressCounts, isPart: Bool, at time: Double) {
    let now = Self.instant(time)
    if counts.unit != unit { estimator = ProgressEstimator() }
    unit = counts.unit
    estimator.update(completed: counts.completed, at: now)
    guard !isPart, let left = estimator.remaining(total: counts.total, at: now) else { return }
    guard let rate = estimator.rate(at: now), rate > 0 else {
      return report(.disagrees, "a time left without a rate", nil, at: time)
    }
    // Within a step, and what it is late.
    let computed = Double(counts.total - counts.completed) / rate
    let said = Double(left.nanoseconds) / 1e9
    let step = Double((estimator.interval ?? .zero).nanoseconds) / 1e9
    let late = Double((now - (estimator.changedAt ?? now)).nanoseconds) / 1e9
    if abs(said - computed) > 1 + 2 * max(step, late) + computed / 10 {
      report(.disagrees, "\(said) s said, \(computed) s by the rate beside it", nil, at: time)
    }
  }

  private mutating func report(_ lie: Lie, _ text: String, _ note: String?, at time: Double) {
    guard fault == nil else { return }
    let beside = note.map { ", beside it \"\($0)\"" } ?? ""
    fault = Fault(
      lie: lie,
      text: "seed \(seed) (\(mixture.form), \(mixture.plot)) at \(time) s: \(text)\(beside)")
  }
}
