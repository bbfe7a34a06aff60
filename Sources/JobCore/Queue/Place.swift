/// The place of a waiting job among those of its priority: by its number, unless it was moved.
struct Place: Hashable, Comparable, Sendable {
  /// Smaller seats go first.
  let seat: Int64
  let number: JobNumber

  /// `seat`: the place that it was moved to.
  init(_ number: JobNumber, seat: Int64? = nil) {
    self.seat = seat ?? Int64(min(number.value, Place.numbers)) * Place.spacing
    self.number = number
  }

  /// The gap between two neighbours, for jobs that are moved there.
  static let spacing: Int64 = 1 << 20
  /// Beyond this many the numbers themselves keep the order.
  private static let numbers: UInt64 = 1 << 42

  static func < (left: Place, right: Place) -> Bool {
    left.seat == right.seat ? left.number < right.number : left.seat < right.seat
  }
}

/// Jobs that are alike to the queue: of the same priority, and in need of the same kinds of resources.
struct LineRow: Hashable, Sendable {
  /// Ascending with lower priorities.
  let index: Int

  /// How many there are.
  static let count = Submission.Priority.allCases.count * ResourceSet.classCount

  init(_ priority: Submission.Priority, _ needs: ResourceSet) {
    index = priority.rank * ResourceSet.classCount + Int(needs.rawValue)
  }

  init(index: Int) { self.index = index }

  var needs: ResourceSet { ResourceSet(rawValue: UInt8(index % ResourceSet.classCount)) }

  var priority: Submission.Priority {
    switch index / ResourceSet.classCount {
    case 0: .high
    case 1: .normal
    default: .low
    }
  }
}

/// Some of the rows, a bit for each.
struct RowSet: Hashable, Sendable {
  private var bits: UInt128 = 0

  var isEmpty: Bool { bits == 0 }

  func contains(_ row: LineRow) -> Bool { bits & (1 << row.index) != 0 }
  mutating func insert(_ row: LineRow) { bits |= 1 << row.index }
  mutating func remove(_ row: LineRow) { bits &= ~(1 << row.index) }

  /// In order of their indices, so that higher priorities come first.
  var members: some Sequence<LineRow> {
    sequence(state: bits) { rest -> LineRow? in
      guard rest != 0 else { return nil }
      let bit = rest.trailingZeroBitCount
      rest &= rest - 1
      return LineRow(index: bit)
    }
  }
}
