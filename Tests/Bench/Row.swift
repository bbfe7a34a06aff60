/// One line of the table: our figure, the reference, and the budget.
struct Row: Sendable {
  /// The unit of a figure; decides its format.
  enum Unit: String, Sendable {
    case nanoseconds = "ns"
    case microseconds = "us"
    case milliseconds = "ms"
    case seconds = "s"
    case perSecond = "/s"
    case kibibytes = "KiB"
    case mebibytes = "MiB"
    case megabytes = "MB"
    case percent = "%"
    case count = ""
  }

  /// The budget of the figure.
  enum Budget: Sendable {
    /// Ours over the reference.
    case ratioAtMost(Double)
    case ratioAtLeast(Double)
    case atMost(Double)
    case atLeast(Double)
    /// A figure for its own sake: the machine's limit, or another's.
    case none
  }

  struct Reference: Sendable {
    var name: String
    var series: Series
  }

  var name: String
  var unit: Unit
  var ours: Series
  var reference: Reference?
  var budget = Budget.none

  /// Ours over the reference; nil without one.
  var ratio: Double? {
    guard let reference, reference.series.median > 0 else { return nil }
    return ours.median / reference.series.median
  }

  /// Whether the budget was met; nil without one, or without a reference.
  var isMet: Bool? {
    switch budget {
    case .ratioAtMost(let most): ratio.map { $0 <= most }
    case .ratioAtLeast(let least): ratio.map { $0 >= least }
    case .atMost(let most): ours.median <= most
    case .atLeast(let least): ours.median >= least
    case .none: nil
    }
  }
}

/// One curve of a plot: a figure as a function of a size.
struct Curve: Sendable {
  struct Point: Sendable {
    var x: Double
    var y: Double
  }

  var name: String
  var points: [Point]
}

/// Curves over the same axis.
struct Plot: Sendable {
  /// The file's name without its extension.
  var name: String
  var title: String
  var xTitle: String
  var yTitle: String
  var curves: [Curve]
}
