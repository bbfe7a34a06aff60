/// The budget usage of bundles, as far back as a budget's window.
///
/// Times are those of the civil clock: a day includes the time when the machine slept. A clock that was set
/// back does not prolong anything: times in the future count as now.
struct UseRecord: Sendable {
  /// Starts and processor time of about a hundredth of the window, so that a bundle takes little room however
  /// often it runs.
  private struct Piece {
    var at: WallTime
    var starts = 0
    var processorTime = Interval.zero
  }

  private struct Use {
    /// Ascending; each at least a piece's length after the one before.
    var pieces: [Piece] = []
    var failures = 0
    var failedAt: WallTime?
  }

  private static let pieces: UInt64 = 96
  /// Of a bundle that was left alone for long.
  private static let pushesInRow = 20
  private var uses: [JobIdentifier: Use] = [:]
  private var pace = StartPace()
  let budget: Budget

  init(_ budget: Budget) { self.budget = budget }

  /// The same uses under another budget.
  func under(_ budget: Budget) -> UseRecord {
    var record = UseRecord(budget)
    (record.uses, record.pace) = (uses, pace)
    return record
  }

  /// The bundles with recorded usage.
  var bundles: [JobIdentifier] { uses.keys.sorted { $0.text < $1.text } }

  mutating func noteStart(
    of bundle: JobIdentifier, _ identifier: JobIdentifier?, at now: WallTime
  ) {
    note(bundle, at: now) { $0.starts += 1 }
    if let identifier { pace.noteStart(of: identifier, at: now) }
  }

  mutating func note(_ processorTime: Interval, of bundle: JobIdentifier, at now: WallTime) {
    if processorTime == .zero { return }
    note(bundle, at: now) { $0.processorTime = $0.processorTime + processorTime }
  }

  mutating func note(_ end: UseEnd, of bundle: JobIdentifier, at now: WallTime) {
    switch end {
    case .good:
      uses[bundle]?.failures = 0
      uses[bundle]?.failedAt = nil
    case .bad:
      uses[bundle, default: Use()].failures += 1
      uses[bundle]?.failedAt = now
    case .neither: break
    }
  }

  /// Adds a start of an earlier runner, in the order of their ends.
  mutating func note(_ past: UsageRecord) {
    noteStart(of: past.bundle, past.identifier, at: past.startedAt)
    note(past.processorTime, of: past.bundle, at: past.endedAt)
    note(past.end, of: past.bundle, at: past.endedAt)
  }

  private mutating func note(
    _ bundle: JobIdentifier, at time: WallTime, _ change: (inout Piece) -> Void
  ) {
    var use = uses[bundle] ?? Use()
    let length = budget.window / Self.pieces
    var place = use.pieces.count
    while place > 0, use.pieces[place - 1].at > time { place -= 1 }
    if place == 0 || time - use.pieces[place - 1].at >= length {
      use.pieces.insert(Piece(at: time), at: place)
      place += 1
    }
    change(&use.pieces[place - 1])
    uses[bundle] = use
  }

  /// Forgets usage outside the window.
  mutating func forget(before now: WallTime) {
    let window = budget.window
    pace.forget(before: now, budget.pace)
    uses = uses.compactMapValues { use in
      var use = use
      use.pieces.removeAll { $0.at + window <= now }
      for index in use.pieces.indices { use.pieces[index].at = min(use.pieces[index].at, now) }
      use.failedAt = use.failedAt.map { min($0, now) }
      if use.failedAt.map({ $0 + window <= now }) ?? true { use.failures = 0 }
      return use.pieces.isEmpty && use.failures == 0 ? nil : use
    }
  }

  private func counts(_ piece: Piece, at now: WallTime) -> Bool { piece.at + budget.window > now }

  /// A bundle's usage, and whether it may use more now.
  func allowance(of bundle: JobIdentifier, at now: WallTime) -> Allowance {
    var allowance = Allowance(bundle)
    guard let use = uses[bundle] else { return allowance }
    let pieces = use.pieces.filter { counts($0, at: now) }
    allowance.starts = pieces.reduce(0) { $0 + $1.starts }
    allowance.processorTime = pieces.reduce(.zero) { $0 + $1.processorTime }
    allowance.failures = use.failures
    if let failedAt = use.failedAt.map({ min($0, now) }) {
      let end = failedAt + budget.wait(after: use.failures)
      if end > now {
        allowance.put(
          off: end, "the last \(use.failures) tasks of \(bundle) failed or took too long")
      }
    }
    spend(budget.starts.map { UInt64($0) }, of: pieces, at: now, &allowance) {
      "\(bundle) has used its \($0 == 1 ? "one start" : "\($0) starts") per \(budget.window.words)"
    } amount: {
      UInt64($0.starts)
    }
    spend(budget.processorTime?.nanoseconds, of: pieces, at: now, &allowance) {
      "\(bundle) has used its \(Interval(nanoseconds: $0).words) of processor time per \(budget.window.words)"
    } amount: {
      $0.processorTime.nanoseconds
    }
    return allowance
  }

  /// The allowance for one more start of one of its tasks: beside the limits of the window, two starts of one
  /// identifier do not repeatedly follow each other closely.
  func allowance(
    of bundle: JobIdentifier, for identifier: JobIdentifier, at now: WallTime
  ) -> Allowance {
    var allowance = allowance(of: bundle, at: now)
    if let interval = budget.pace, let end = pace.end(of: identifier, interval, at: now) {
      allowance.put(
        off: end,
        "\(identifier) started just now; it starts at most once every \(interval.words)")
    }
    return allowance
  }

  /// The allowance for one more push: beside the limits of the window, limits pushes in a row regardless of the
  /// kinds of starts (the generic cell rate algorithm, as exact as the pieces are).
  func allowance(ofPushesFor bundle: JobIdentifier, waiting: Int, at now: WallTime) -> Allowance {
    var allowance = allowance(of: bundle, at: now)
    guard let starts = budget.starts, starts > 0 else { return allowance }
    let interval = budget.window / UInt64(starts)
    // When a full row of pushes is allowed again.
    var whole = WallTime(milliseconds: .min)
    for piece in uses[bundle]?.pieces ?? [] {
      whole = max(whole, min(piece.at, now)) + interval * UInt64(piece.starts)
    }
    whole = max(whole, now) + interval * UInt64(waiting)
    let next = whole - interval * (UInt64(Self.pushesInRow) - 1)
    if next > now {
      allowance.put(
        off: next,
        "\(bundle) has used its \(Self.pushesInRow) starts in a row, and gets one every \(interval.words)"
      )
    }
    return allowance
  }

  /// Defers a bundle that has used up a limit until enough of its usage leaves the window.
  private func spend(
    _ most: UInt64?, of pieces: [Piece], at now: WallTime, _ allowance: inout Allowance,
    why: (UInt64) -> String, amount: (Piece) -> UInt64
  ) {
    guard let most else { return }
    var counted: UInt64 = 0
    // Keeps as many of the latest as the limit allows; the first beyond them must expire.
    for piece in pieces.reversed() {
      counted = counted.addedHeld(amount(piece))
      guard counted < most else {
        return allowance.put(off: min(piece.at, now) + budget.window, why(most))
      }
    }
  }
}

extension Allowance {
  /// The longest of all waits counts.
  fileprivate mutating func put(off until: WallTime, _ why: String) {
    if let known = self.until, known >= until { return }
    (self.until, self.why) = (until, why)
  }
}
