/// Job numbers in ascending order.
package typealias OrderedNumbers = Ordered<JobNumber>

/// Elements in ascending order, without duplicates, kept in short sorted pieces.
///
/// Elements mostly arrive at the end and leave at the front. Both cost one binary search over the pieces and a
/// move within one of them; counting the elements below another adds up the pieces before it.
package struct Ordered<Element: Comparable & Sendable>: Sendable {
  /// The maximum number of elements in a piece: a few KiB, which move faster than a search takes.
  private static var pieceLimit: Int { 256 }

  /// Sorted pieces in ascending order; none is empty.
  private var pieces: [[Element]] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var first: Element? { pieces.first?.first }
  package var last: Element? { pieces.last?.last }
  package var elements: [Element] { pieces.flatMap { $0 } }

  /// Complexity: O(log *n*) if the element is larger than all others.
  package mutating func insert(_ element: Element) {
    let piece = piece(holding: element)
    guard piece < pieces.count else { return append(element) }
    let index = Self.index(of: element, in: pieces[piece])
    guard pieces[piece][index] != element else { return }
    pieces[piece].insert(element, at: index)
    count += 1
    if pieces[piece].count > Self.pieceLimit { split(piece) }
  }

  /// Whether it was there.
  @discardableResult
  package mutating func remove(_ element: Element) -> Bool {
    let piece = piece(holding: element)
    guard piece < pieces.count else { return false }
    let index = Self.index(of: element, in: pieces[piece])
    guard pieces[piece][index] == element else { return false }
    pieces[piece].remove(at: index)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
    count -= 1
    return true
  }

  func contains(_ element: Element) -> Bool {
    let piece = piece(holding: element)
    guard piece < pieces.count else { return false }
    return pieces[piece][Self.index(of: element, in: pieces[piece])] == element
  }

  /// How many are smaller than `element`.
  package func countBelow(_ element: Element) -> Int {
    let piece = piece(holding: element)
    let before = pieces[..<piece].reduce(0) { $0 + $1.count }
    guard piece < pieces.count else { return before }
    return before + Self.index(of: element, in: pieces[piece])
  }

  /// The first for which `isWanted` holds, at most `limit`.
  func first(_ limit: Int, where isWanted: (Element) -> Bool) -> [Element] {
    var found: [Element] = []
    visit { element in
      if isWanted(element) { found.append(element) }
      return found.count < limit
    }
    return found
  }

  /// At most `limit` that are larger than `element`, ascending.
  ///
  /// Complexity: O(log *n* + `limit`).
  package func page(after element: Element, limit: Int) -> [Element] {
    var page: [Element] = []
    for piece in pieces[piece(holding: element)...] {
      for next in piece where next > element {
        if page.count >= limit { return page }
        page.append(next)
      }
    }
    return page
  }

  /// Shows them to `goesOn`, ascending, until it answers false.
  func visit(_ goesOn: (Element) -> Bool) {
    for piece in pieces {
      for element in piece where !goesOn(element) { return }
    }
  }

  private mutating func append(_ element: Element) {
    count += 1
    if let last = pieces.indices.last, pieces[last].count < Self.pieceLimit {
      pieces[last].append(element)
    } else {
      pieces.append([element])
    }
  }

  private mutating func split(_ piece: Int) {
    let half = pieces[piece].count / 2
    let upper = Array(pieces[piece][half...])
    pieces[piece].removeSubrange(half...)
    pieces.insert(upper, at: piece + 1)
  }

  /// The first piece whose last element is not below `element`; the count of pieces when there is none.
  private func piece(holding element: Element) -> Int {
    guard let first = pieces.first?.last, first < element else { return 0 }
    if let last = pieces.last?.last, last < element { return pieces.count }
    var low = 1
    var high = pieces.count
    while low < high {
      let middle = (low + high) / 2
      if let last = pieces[middle].last, last < element { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Where `element` is in a sorted piece, or would be.
  private static func index(of element: Element, in piece: [Element]) -> Int {
    if piece[0] >= element { return 0 }
    var low = 1
    var high = piece.count
    while low < high {
      let middle = (low + high) / 2
      if piece[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
