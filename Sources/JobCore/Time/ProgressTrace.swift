/// The progress of one job over time: at most `capacity` points, for a curve of its whole life.
///
/// Points are at least `interval` apart. When the trace is full, every second point is dropped and the interval
/// doubles, so that a second and a month need the same space. Points with a mark are kept, unless marks alone
/// fill half of it.
package struct ProgressTrace: Hashable, Sendable {
  package static let capacity = 256
  /// Shorter jobs have no trace.
  package static let shortest = Interval.seconds(1)

  /// The event at a point, beside progress.
  package enum Mark: UInt8, Hashable, Sendable, CaseIterable {
    /// It reported without advancing, and a question was asked.
    case stalled
    /// The question was answered or withdrawn.
    case answered
    case warned, paused, resumed, stopping
    /// The last that was seen of an attempt.
    case ended
  }

  package struct Point: Hashable, Sendable {
    package var at: WallTime
    package var completed: UInt64
    /// 0 = not known.
    package var total: UInt64
    package var attempt: Int32
    package var unit: PageSample.Unit
    package var mark: Mark?

    package init(
      at: WallTime, attempt: Int, completed: UInt64, total: UInt64, unit: PageSample.Unit,
      mark: Mark? = nil
    ) {
      self.at = at
      self.attempt = Int32(clamping: attempt)
      self.completed = completed
      self.total = total
      self.unit = unit
      self.mark = mark
    }

    /// Completed over total, clamped to 0…1; nil when the total is not known.
    package var fraction: Double? {
      total == 0 ? nil : min(1, Double(completed) / Double(total))
    }
  }

  /// The result of `add`.
  package enum Change: Hashable, Sendable {
    /// The point comes too early after the one before.
    case none
    case appended
    /// Others went.
    case thinned
  }

  package private(set) var points: [Point] = []
  package private(set) var interval = Self.shortest

  package init() {}

  /// Restores a stored trace; points beyond the capacity are thinned out.
  package init(points: [Point], interval: Interval) {
    self.interval = max(interval, Self.shortest)
    self.points = points.sorted { $0.at < $1.at }
    while self.points.count > Self.capacity { thin() }
  }

  package mutating func add(_ point: Point) -> Change {
    var point = point
    if let last = points.last {
      // The clock was set back.
      point.at = max(point.at, last.at)
      let isNew = point.attempt != last.attempt || point.mark != nil
      guard isNew || point.at >= last.at + interval else { return .none }
    }
    points.append(point)
    guard points.count > Self.capacity else { return .appended }
    thin()
    return .thinned
  }

  private mutating func thin() {
    let marked = points.reduce(0) { $0 + ($1.mark == nil ? 0 : 1) }
    let keepsMarks = marked <= Self.capacity / 2
    var isKept = false
    let last = points.count - 1
    var kept: [Point] = []
    for (index, point) in points.enumerated() {
      if keepsMarks && point.mark != nil || index == last {
        kept.append(point)
        continue
      }
      isKept.toggle()
      if isKept { kept.append(point) }
    }
    points = kept
    interval = interval * 2
  }
}
