import JobCore

/// The cards of all live jobs by number.
///
/// A card takes most of a KiB. A dictionary would keep room for up to three of them for each job that
/// there is; here it holds places in an array, which has little room to spare.
struct CardTable {
  private var places: [JobNumber: Int] = [:]
  private var cards: [JobCard?] = []
  private var vacantPlaces: [Int] = []

  var count: Int { places.count }
  var isEmpty: Bool { places.isEmpty }
  /// In no order.
  var keys: some Collection<JobNumber> { places.keys }
  /// In no order.
  var values: some Sequence<JobCard> { cards.lazy.compactMap(\.self) }

  /// The card of a job; nil when it has none, and to take it away.
  subscript(number: JobNumber) -> JobCard? {
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
  mutating func removeValue(forKey number: JobNumber) -> JobCard? {
    let card = self[number]
    self[number] = nil
    return card
  }

  private mutating func takePlace(for number: JobNumber) -> Int {
    if vacantPlaces.isEmpty { cards.append(nil) }
    let place = vacantPlaces.popLast() ?? cards.count - 1
    places[number] = place
    return place
  }

  private mutating func vacate(_ place: Int, of number: JobNumber) {
    places[number] = nil
    vacantPlaces.append(place)
  }
}
