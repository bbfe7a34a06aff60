/// The queue: jobs that may start as soon as their resources are free.
///
/// Higher priorities go first; within a priority jobs are ordered by place. Jobs with equal needs share a row.
/// Only the first of each row can be the next to start, so an admission looks at no more than 96 jobs, however
/// long the queue is.
///
/// Against starvation, the first of a row is lifted ahead of all priorities once enough jobs of higher ones
/// have overtaken it for long enough (`lift(at:after:overtakings:)`). Its turn begins when it reaches the front
/// of its row, or when a job ahead of it with its priority starts. Hence only one job per priority is lifted at
/// a time: a large backlog does not block urgent jobs.
struct WaitingLine: Sendable {
  /// When the first of a row began its turn, and how many jobs of higher priorities have overtaken it since.
  private struct Turn {
    var since = Instant(nanoseconds: 0)
    var overtakings = 0
  }

  private var rows = [Ordered<Place>](repeating: Ordered(), count: LineRow.count)
  private var turns = [Turn](repeating: Turn(), count: LineRow.count)
  /// The rows that are not empty.
  private(set) var occupied = RowSet()
  /// The rows whose first job goes ahead of all priorities.
  private(set) var lifted = RowSet()
  /// When the longest turn of the lifted jobs began, by the rank of their priority.
  private var liftedSince = [Instant](
    repeating: Instant(nanoseconds: 0), count: Submission.Priority.allCases.count)
  /// Jobs that are passed over, by sort; no entry is empty.
  private var aside: [JobSort: Ordered<Place>] = [:]
  /// The turns of those among them that were first in their row; they continue meanwhile.
  private var turnsAside: [JobSort: Turn] = [:]
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func insert(_ place: Place, _ row: LineRow, at now: Instant) {
    let before = rows[row.index].count
    rows[row.index].insert(place)
    count += rows[row.index].count - before
    guard before == 0 else { return }
    occupied.insert(row)
    beginTurn(row, at: now)
  }

  mutating func remove(_ place: Place, _ row: LineRow, at now: Instant) {
    if leave(place, row, at: now) {
      count -= 1
    } else if let sort = sortAside(of: place, row) {
      if aside[sort]?.first == place { turnsAside[sort] = Turn(since: now) }
      takeAside(place, sort)
      count -= 1
    }
  }

  private mutating func leave(_ place: Place, _ row: LineRow, at now: Instant) -> Bool {
    let wasFirst = rows[row.index].first == place
    guard rows[row.index].remove(place) else { return false }
    if wasFirst { beginTurn(row, at: now) }
    if rows[row.index].isEmpty { occupied.remove(row) }
    return true
  }

  /// Gives a job a new place without jobs between the old and the new: the order stays.
  mutating func replace(_ place: Place, by other: Place, _ row: LineRow) {
    if rows[row.index].remove(place) {
      rows[row.index].insert(other)
    } else if let sort = sortAside(of: place, row) {
      aside[sort]?.remove(place)
      aside[sort]?.insert(other)
    }
  }

  func contains(_ place: Place, _ row: LineRow) -> Bool {
    rows[row.index].contains(place) || sortAside(of: place, row) != nil
  }

  private func first(of row: LineRow) -> Place? { rows[row.index].first }

  func isFirst(_ place: Place, of row: LineRow) -> Bool { first(of: row) == place }
}

// MARK: Starvation

extension WaitingLine {
  /// A job was started out of the line.
  mutating func noteStart(of place: Place, _ row: LineRow, at now: Instant) {
    noteOvertaking(by: row) { _ in true }
    guard row.priority != .high else { return }
    for other in occupied.members where other.priority == row.priority {
      if let first = first(of: other), first > place { beginTurn(other, at: now) }
    }
    for (sort, places) in aside where sort.row.priority == row.priority {
      if let first = places.first, first > place { turnsAside[sort] = Turn(since: now) }
    }
  }

  /// A job of a higher priority was started ahead of lower ones in such rows.
  mutating func noteOvertaking(by row: LineRow, where counts: (LineRow) -> Bool) {
    for other in occupied.members where other.priority > row.priority && counts(other) {
      turns[other.index].overtakings += 1
    }
  }

  private mutating func beginTurn(_ row: LineRow, at now: Instant) {
    turns[row.index] = Turn(since: now)
    lifted.remove(row)
  }

  /// Lifts the first jobs of rows that have waited for `span` while so many jobs of higher priorities were
  /// started, together with the jobs of their own priority ahead of them.
  mutating func lift(at now: Instant, after span: Interval, overtakings most: Int) {
    lifted = RowSet()
    for priority in [Submission.Priority.normal, .low] {
      var last: Place?
      var since = now
      for row in occupied.members where row.priority == priority {
        let turn = turns[row.index]
        guard turn.overtakings >= most, now - turn.since >= span,
          let first = first(of: row)
        else { continue }
        last = last.map { max($0, first) } ?? first
        since = min(since, turn.since)
      }
      liftedSince[priority.rank] = since
      guard let last else { continue }
      for row in occupied.members where row.priority == priority {
        if let first = first(of: row), first <= last { lifted.insert(row) }
      }
    }
  }
}

// MARK: Order

extension WaitingLine {
  /// The position of a job in the whole line; smaller goes first.
  struct Rank: Comparable, Sendable {
    /// 0 = lifted, otherwise by priority.
    let stage: Int
    /// For a lifted job, when the turn of its priority began: the longest wait goes first.
    let since: Instant
    let place: Place

    /// Before all that there are.
    static let first = Rank(
      stage: -1, since: Instant(nanoseconds: 0), place: Place(JobNumber(0), seat: .min))

    static func < (left: Rank, right: Rank) -> Bool {
      if left.stage != right.stage { return left.stage < right.stage }
      return left.since == right.since ? left.place < right.place : left.since < right.since
    }
  }

  /// The rank of a job in line, or of one that would be added.
  func rank(of place: Place, _ row: LineRow) -> Rank {
    guard lifted.contains(row), first(of: row) == place else {
      return Rank(stage: 1 + row.priority.rank, since: Instant(nanoseconds: 0), place: place)
    }
    return Rank(stage: 0, since: liftedSince[row.priority.rank], place: place)
  }

  /// The first job of the open rows.
  func foremost(of open: RowSet) -> (row: LineRow, rank: Rank)? {
    var foremost: (row: LineRow, rank: Rank)?
    for row in open.members {
      guard let first = first(of: row) else { continue }
      let rank = rank(of: first, row)
      if let best = foremost, best.rank < rank { continue }
      foremost = (row, rank)
    }
    return foremost
  }

  /// All ranks, the next to start first.
  var ranks: [Rank] {
    var ranks: [Rank] = []
    ranks.reserveCapacity(count)
    for row in occupied.members { ranks += rows[row.index].elements.map { rank(of: $0, row) } }
    for (sort, places) in aside { ranks += places.elements.map { rank(of: $0, sort.row) } }
    return ranks.sorted()
  }

  /// Place in the queue, from 1.
  func position(of place: Place, _ row: LineRow) -> Int {
    let rank = rank(of: place, row)
    var ahead = 0
    for other in occupied.members {
      if rank.stage > 0 {
        if other.priority < row.priority { ahead += rows[other.index].count }
        if other.priority == row.priority { ahead += rows[other.index].countBelow(place) }
      }
      // A lifted job that was not counted with those before it.
      guard lifted.contains(other), let first = first(of: other), first != place else { continue }
      let isCounted =
        rank.stage > 0
        && (other.priority < row.priority || (other.priority == row.priority && first < place))
      if !isCounted, self.rank(of: first, other) < rank { ahead += 1 }
    }
    guard sortAside(of: place, row) != nil else { return ahead + 1 }
    // A passed-over job ranks behind those passed over before it.
    for (sort, places) in aside {
      if sort.row.priority < row.priority { ahead += places.count }
      if sort.row.priority == row.priority { ahead += places.countBelow(place) }
    }
    return ahead + 1
  }

  /// How many of higher priorities are in line.
  func count(above priority: Submission.Priority) -> Int {
    guard priority != .high else { return 0 }
    return occupied.members.reduce(0) {
      $1.priority < priority ? $0 + rows[$1.index].count : $0
    }
  }

  /// The first of a priority behind `place`, or the very first.
  func next(of priority: Submission.Priority, after place: Place? = nil) -> Place? {
    var next: Place?
    for row in occupied.members where row.priority == priority {
      let found = place.map { rows[row.index].page(after: $0, limit: 1).first }
      guard let candidate = found ?? first(of: row) else { continue }
      next = next.map { min($0, candidate) } ?? candidate
    }
    for (sort, places) in aside where sort.row.priority == priority {
      let found = place.map { places.page(after: $0, limit: 1).first } ?? places.first
      guard let candidate = found else { continue }
      next = next.map { min($0, candidate) } ?? candidate
    }
    return next
  }
}

// MARK: Jobs that are passed over

extension WaitingLine {
  /// The sorts of which jobs are passed over.
  var sortsAside: [JobSort] { Array(aside.keys) }

  /// The rank of the first passed-over job of a sort.
  func firstAside(of sort: JobSort) -> Rank? { aside[sort]?.first.map { rank(of: $0, sort.row) } }

  /// Takes a job out of its row, so that those behind it move to the front; whether it is the first of its
  /// sort.
  mutating func putAside(_ place: Place, _ sort: JobSort, at now: Instant) -> Bool {
    let turn = first(of: sort.row) == place ? turns[sort.row.index] : nil
    guard leave(place, sort.row, at: now) else { return false }
    let isFirst = aside[sort] == nil
    aside[sort, default: Ordered()].insert(place)
    if aside[sort]?.first == place { turnsAside[sort] = turn }
    return isFirst
  }

  /// Puts the first of a sort back into their row, where they have the places that they had.
  mutating func recall(_ sort: JobSort, atMost most: Int = .max, at now: Instant) {
    var left = most
    while left > 0, let place = aside[sort]?.first {
      left -= 1
      count -= 1
      let turn = turnsAside.removeValue(forKey: sort)
      takeAside(place, sort)
      insert(place, sort.row, at: now)
      // It kept waiting meanwhile, and jobs behind it cannot have waited longer.
      if let turn, first(of: sort.row) == place { turns[sort.row.index] = turn }
    }
  }

  private func sortAside(of place: Place, _ row: LineRow) -> JobSort? {
    for (sort, places) in aside where sort.row == row && places.contains(place) { return sort }
    return nil
  }

  private mutating func takeAside(_ place: Place, _ sort: JobSort) {
    aside[sort]?.remove(place)
    guard aside[sort]?.isEmpty ?? false else { return }
    aside[sort] = nil
    turnsAside[sort] = nil
  }
}
