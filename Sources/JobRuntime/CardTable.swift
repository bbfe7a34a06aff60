package import JobCore

/// The cards of all live jobs by number.
///
/// A card takes most of a KiB. A dictionary would keep room for up to three of them for each job that
/// there is; here it holds places in an array, which has little room to spare.
package struct CardTable {
  private var places: [JobNumber: Int] = [:]
  private var cards: [LiveJob?] = []
  private var vacantPlaces: [Int] = []
  /// The jobs, ascending.
  package private(set) var numbers = OrderedNumbers()
  /// Room for so many cards is kept, whatever becomes of a crowd.
  private static let roomKept = 1_024

  package var count: Int { places.count }
  package var isEmpty: Bool { places.isEmpty }
  /// In no order.
  package var keys: some Collection<JobNumber> { places.keys }
  /// In no order.
  package var values: some Sequence<LiveJob> { cards.lazy.compactMap(\.self) }

  package init() {}

  /// The card of a job; nil when it has none, and to take it away.
  package subscript(number: JobNumber) -> LiveJob? {
    _read {
      if let place = places[number] { yield cards[place] } else { yield nil }
    }
    _modify {
      let place = places[number] ?? takePlace(for: number)
      defer { if case .none = cards[place] { vacate(place, of: number) } }
      yield &cards[place]
    }
  }

  /// Takes a card away, and answers it.
  package mutating func removeValue(forKey number: JobNumber) -> LiveJob? {
    let card = self[number]
    self[number] = nil
    return card
  }

  private mutating func takePlace(for number: JobNumber) -> Int {
    if vacantPlaces.isEmpty { cards.append(nil) }
    let place = vacantPlaces.popLast() ?? cards.count - 1
    places[number] = place
    numbers.insert(number)
    return place
  }

  private mutating func vacate(_ place: Int, of number: JobNumber) {
    places[number] = nil
    numbers.remove(number)
    vacantPlaces.append(place)
    if cards.count > Self.roomKept, places.count < cards.count / 4 { giveBackRoom() }
  }

  /// Moves the cards together that a crowd has left.
  private mutating func giveBackRoom() {
    var kept: [LiveJob?] = []
    var moved: [JobNumber: Int] = [:]
    for (number, place) in places {
      moved[number] = kept.count
      kept.append(cards[place])
    }
    (places, cards, vacantPlaces) = (moved, kept, [])
  }
}
