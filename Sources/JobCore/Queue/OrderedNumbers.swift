/// Job numbers in ascending order, kept in short sorted pieces.
///
/// Numbers mostly arrive at the end and leave at the front. Either costs one binary search over the
/// pieces and a move within one of them; counting those below a number adds up the pieces before it.
package struct OrderedNumbers: Sendable {
  /// Most numbers in a piece: 2 KiB, which moves in less time than a search takes.
  private static let pieceLimit = 256

  /// Sorted, none empty, each before the next.
  private var pieces: [[JobNumber]] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var first: JobNumber? { pieces.first?.first }
  package var last: JobNumber? { pieces.last?.last }
  package var elements: [JobNumber] { pieces.flatMap { $0 } }

  /// Complexity: O(log *n*) for one that is larger than all others.
  package mutating func insert(_ number: JobNumber) {
    let piece = piece(holding: number)
    guard piece < pieces.count else { return append(number) }
    let index = OrderedNumbers.index(of: number, in: pieces[piece])
    guard pieces[piece][index] != number else { return }
    pieces[piece].insert(number, at: index)
    count += 1
    if pieces[piece].count > OrderedNumbers.pieceLimit { split(piece) }
  }

  /// Whether it was there.
  @discardableResult
  package mutating func remove(_ number: JobNumber) -> Bool {
    let piece = piece(holding: number)
    guard piece < pieces.count else { return false }
    let index = OrderedNumbers.index(of: number, in: pieces[piece])
    guard pieces[piece][index] == number else { return false }
    pieces[piece].remove(at: index)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
    count -= 1
    return true
  }

  func contains(_ number: JobNumber) -> Bool {
    let piece = piece(holding: number)
    guard piece < pieces.count else { return false }
    return pieces[piece][OrderedNumbers.index(of: number, in: pieces[piece])] == number
  }

  /// How many are smaller than `number`.
  package func countBelow(_ number: JobNumber) -> Int {
    let piece = piece(holding: number)
    let before = pieces[..<piece].reduce(0) { $0 + $1.count }
    guard piece < pieces.count else { return before }
    return before + OrderedNumbers.index(of: number, in: pieces[piece])
  }

  /// The first numbers for which `isWanted` holds, at most `limit`.
  func first(_ limit: Int, where isWanted: (JobNumber) -> Bool) -> [JobNumber] {
    var found: [JobNumber] = []
    visit { number in
      if isWanted(number) { found.append(number) }
      return found.count < limit
    }
    return found
  }

  /// At most `limit` numbers larger than `number`, ascending.
  ///
  /// Complexity: O(log *n* + `limit`).
  package func page(after number: JobNumber, limit: Int) -> [JobNumber] {
    var page: [JobNumber] = []
    for piece in pieces[piece(holding: JobNumber(number.value &+ 1))...] {
      for next in piece where next > number {
        if page.count >= limit { return page }
        page.append(next)
      }
    }
    return page
  }

  /// Shows the numbers to `goesOn`, ascending, until it answers false.
  func visit(_ goesOn: (JobNumber) -> Bool) {
    for piece in pieces {
      for number in piece where !goesOn(number) { return }
    }
  }

  private mutating func append(_ number: JobNumber) {
    count += 1
    if let last = pieces.indices.last, pieces[last].count < OrderedNumbers.pieceLimit {
      pieces[last].append(number)
    } else {
      pieces.append([number])
    }
  }

  private mutating func split(_ piece: Int) {
    let half = pieces[piece].count / 2
    let upper = Array(pieces[piece][half...])
    pieces[piece].removeSubrange(half...)
    pieces.insert(upper, at: piece + 1)
  }

  /// The first piece whose last number is not below `number`; the count of pieces when there is none.
  private func piece(holding number: JobNumber) -> Int {
    guard let first = pieces.first?.last, first < number else { return 0 }
    if let last = pieces.last?.last, last < number { return pieces.count }
    var low = 1
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if let last = pieces[middle].last, last < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Where `number` is in a sorted piece, or would be.
  private static func index(of number: JobNumber, in piece: [JobNumber]) -> Int {
    if piece[0] >= number { return 0 }
    var low = 1
    var high = piece.count
    while low < high {
      let middle = (low + high) / 2
      if piece[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
