/// Numbers that may be progress or not: only those that are repeated in the same place and grow count.
///
/// `100% coverage` and `disk 93% full` are said once, a table of shares jumps up and down; progress is
/// written at least three times behind the same words and grows each time.
struct GrowingNumbers: Hashable, Sendable {
  /// One place where a number was seen: the letters before it on its line, and what it is out of.
  struct Place: Hashable, Sendable {
    var words: [UInt8]
    var total: UInt64
  }

  private struct Row: Hashable, Sendable {
    var last: UInt64
    var growths = 0
    /// It fell without beginning anew: no progress.
    var isErratic = false
  }

  /// Growths that make progress of a number.
  private let enough: Int
  /// Places that are watched; a log full of ratios does not make this grow.
  private static let most = 32

  private var rows: [Place: Row] = [:]
  private var chosen: Place?

  init(enough: Int = 2) {
    self.enough = enough
  }

  /// A repetition has begun: numbers may fall.
  mutating func beginRound() {
    for place in rows.keys { rows[place]?.last = 0 }
  }

  /// Whether one of the places holds progress.
  var hasChosen: Bool { chosen != nil }

  /// Takes one number; whether it is progress.
  mutating func read(_ number: UInt64, at place: Place) -> Bool {
    if rows.count >= Self.most, rows[place] == nil {
      let kept = chosen
      rows = rows.filter { $0.key == kept }
    }
    var row = rows[place] ?? Row(last: number)
    if number > row.last {
      // Step by step is surer than by leaps.
      row.growths += number == row.last + 1 && place.total < 1000 ? enough : 1
    } else if number < row.last {
      // Back to the start is a new round.
      let isRound = row.last >= place.total / 10 * 9 && number <= place.total / 2
      row.isErratic = row.isErratic || (number > place.total / 10 && !isRound)
      row.growths = 0
    }
    row.last = number
    rows[place] = row
    return settle(place, row)
  }

  private mutating func settle(_ place: Place, _ row: Row) -> Bool {
    if chosen == place {
      if row.isErratic { chosen = nil }
      return !row.isErratic
    }
    guard row.growths >= enough, !row.isErratic else { return false }
    // Another place takes over once the first has reached its end.
    if let chosen, let first = rows[chosen], first.last < chosen.total { return false }
    chosen = place
    return true
  }
}

extension GrowingNumbers.Place {
  /// The place behind `prefix`: its letters alone, so that counters and bars before it do not matter.
  init(after prefix: Piece, total: UInt64) {
    self.init(words: prefix.suffix(80).filter { $0.isWordByte && $0 < 0x80 }, total: total)
  }
}
