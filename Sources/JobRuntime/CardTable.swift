package import JobCore

/// The cards of all live jobs by number.
///
/// A card takes most of a KiB. A dictionary would keep room for up to three of them for each job that
/// there is; here it holds places in an array, which has little room to spare.
package struct CardTable {
  private var indices: [JobNumber: Int] = [:]
  private var cards: [LiveJob?] = []
  private var vacantIndices: [Int] = []
  /// The jobs, ascending.
  package private(set) var numbers = OrderedNumbers()
  /// Capacity for this many cards is kept after a crowd has gone.
  private static let roomKept = 1_024

  package var count: Int { indices.count }
  package var isEmpty: Bool { indices.isEmpty }
  /// In no order.
  package var keys: some Collection<JobNumber> { indices.keys }
  /// In no order.
  package var values: some Sequence<LiveJob> { cards.lazy.compactMap(\.self) }

  package init() {}

  /// Makes room for so many more at once.
  package mutating func reserve(_ count: Int) {
    indices.reserveCapacity(indices.count + count)
    cards.reserveCapacity(cards.count + max(0, count - vacantIndices.count))
  }

  /// Whether the job has a card; quicker than to ask for it.
  package func contains(_ number: JobNumber) -> Bool { indices[number] != nil }

  /// The card of a job; nil when it has none, and to take it away.
  package subscript(number: JobNumber) -> LiveJob? {
    _read {
      if let index = indices[number] { yield cards[index] } else { yield nil }
    }
    _modify {
      let index = indices[number] ?? makeIndex(for: number)
      defer { if case .none = cards[index] { vacate(index, of: number) } }
      yield &cards[index]
    }
  }

  /// Takes a card away, and answers it.
  package mutating func removeValue(forKey number: JobNumber) -> LiveJob? {
    let card = self[number]
    self[number] = nil
    return card
  }

  private mutating func makeIndex(for number: JobNumber) -> Int {
    if vacantIndices.isEmpty { cards.append(nil) }
    let index = vacantIndices.popLast() ?? cards.count - 1
    indices[number] = index
    numbers.insert(number)
    return index
  }

  private mutating func vacate(_ index: Int, of number: JobNumber) {
    indices[number] = nil
    numbers.remove(number)
    vacantIndices.append(index)
    if cards.count > Self.roomKept, indices.count < cards.count / 4 { giveBackRoom() }
  }

  /// Moves the cards together that a crowd has left.
  private mutating func giveBackRoom() {
    var kept: [LiveJob?] = []
    var moved: [JobNumber: Int] = [:]
    for (number, index) in indices {
      moved[number] = kept.count
      kept.append(cards[index])
    }
    (indices, cards, vacantIndices) = (moved, kept, [])
  }
}
