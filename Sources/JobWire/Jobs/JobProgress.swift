package import JobCore

/// How far a job is, as far as anybody can tell.
package struct JobProgress: Hashable, Sendable {
  package typealias Unit = PageSample.Unit

  /// Where the numbers come from.
  package enum Source: String, Hashable, Sendable, CaseIterable {
    /// The job's page.
    case page
    /// Terminal progress sequences (OSC 9;4) in its output.
    case osc
    /// Counts recognised in its output.
    case output
    /// The position in a file that it reads or writes.
    case file
  }

  package var completed: UInt64
  /// 0 = indeterminate.
  package var total: UInt64
  package var unit: Unit
  /// 0…1; nil when indeterminate.
  package var fraction: Double?
  /// Units a second, lately; nil while unknown.
  package var rate: Double?
  /// Seconds left at that rate; nil while unknown.
  package var eta: Double?
  /// The least and the most seconds left while the pace is changing; nil while it is steady.
  package var etaRange: ClosedRange<Double>?
  package var source: Source
  /// When the counts changed last, as far as was seen; nil when they never did, and once it has ended.
  package var changed: WallTime?
  /// Seconds that usually pass between two changes; nil while unknown.
  package var interval: Double?
  /// What recognised it, such as `rsync` or `reading film.mkv`; nil when the page tells it.
  package var recogniser: String?
  /// What a person must know to read the counts, such as `round 3` or `read all of big.bin`; nil when
  /// they speak for themselves.
  package var note: String?
  /// The line of the output that told the counts; nil where none did.
  package var line: String?

  /// The fraction follows from the counts.
  package init(
    completed: UInt64, total: UInt64, unit: Unit = .items, rate: Double? = nil,
    eta: Double? = nil, source: Source = .page,
    recogniser: String? = nil, note: String? = nil
  ) {
    self.completed = completed
    self.total = total
    self.unit = unit
    self.fraction = JobProgress.fraction(completed, of: total)
    self.rate = rate
    self.eta = eta
    self.source = source
    self.recogniser = recogniser
    self.note = note
  }

  /// Takes back a whole that is only recognised, as long as the job goes on.
  ///
  /// Its counts are whole, and its work is not: there is no share of the whole then, and no time left.
  package mutating func holdBeforeEnd() {
    guard source != .page, let fraction else { return }
    guard completed < total else {
      self.fraction = nil
      note = [note, "goes on"].compactMap { $0 }.joined(separator: ", ")
      return
    }
    self.fraction = min(fraction, JobProgress.maximumBeforeEnd)
  }

  /// All that was to be seen is done, and the job goes on: `20/20, goes on`.
  package var goesOn: Bool { total > 0 && fraction == nil }

  private static let maximumBeforeEnd = 0.99

  /// What a bar and a percentage are drawn from: nothing where there is no share of the whole.
  package var drawn: (completed: UInt64, total: UInt64) {
    fraction == nil ? (completed, 0) : (completed, total)
  }

  /// Clamped to 0…1, in millionths and rounded down: 1 means that nothing is missing.
  private static func fraction(_ completed: UInt64, of total: UInt64) -> Double? {
    guard total > 0 else { return nil }
    guard completed < total else { return 1 }
    return (Double(completed) / Double(total) * 1_000_000).rounded(.down) / 1_000_000
  }
}
