/// The queue: jobs that may start as soon as what they need is there, in order of their numbers.
///
/// Jobs that need the same kinds of resources share one row. Only the first of each row can be the
/// next to start, so an admission looks at no more than 32 jobs, however long the queue is.
struct WaitingLine: Sendable {
  private var rows = [OrderedNumbers](repeating: OrderedNumbers(), count: ResourceSet.classCount)
  /// The bit of each row that is not empty.
  private(set) var occupied: UInt32 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// All of them, the next to start first.
  var numbers: [JobNumber] { rows.flatMap { $0.elements }.sorted() }

  mutating func insert(_ number: JobNumber, needing needs: ResourceSet) {
    let row = Int(needs.rawValue)
    let before = rows[row].count
    rows[row].insert(number)
    count += rows[row].count - before
    occupied |= 1 << needs.rawValue
  }

  mutating func remove(_ number: JobNumber, needing needs: ResourceSet) {
    let row = Int(needs.rawValue)
    guard rows[row].remove(number) else { return }
    count -= 1
    if rows[row].isEmpty { occupied &= ~(1 << needs.rawValue) }
  }

  func contains(_ number: JobNumber, needing needs: ResourceSet) -> Bool {
    rows[Int(needs.rawValue)].contains(number)
  }

  /// Place in the queue, from 1.
  func position(of number: JobNumber) -> Int {
    var ahead = 0
    for row in WaitingLine.members(of: occupied) {
      ahead += rows[Int(row.rawValue)].countBelow(number)
    }
    return ahead + 1
  }

  /// The first job that needs exactly `needs`.
  func head(needing needs: ResourceSet) -> JobNumber? { rows[Int(needs.rawValue)].first }

  /// Among the rows whose bits are set in `open`, the one with the smallest number at its head.
  func foremost(of open: UInt32) -> (needs: ResourceSet, number: JobNumber)? {
    var foremost: (needs: ResourceSet, number: JobNumber)?
    for row in WaitingLine.members(of: open) {
      guard let head = head(needing: row) else { continue }
      if let best = foremost, best.number < head { continue }
      foremost = (row, head)
    }
    return foremost
  }

  /// The resource sets whose bits are set.
  static func members(of bits: UInt32) -> some Sequence<ResourceSet> {
    sequence(state: bits) { rest -> ResourceSet? in
      guard rest != 0 else { return nil }
      let bit = rest.trailingZeroBitCount
      rest &= rest - 1
      return ResourceSet(rawValue: UInt8(bit))
    }
  }
}
