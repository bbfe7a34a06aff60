/// Requests that wait for a time of day, the earliest first.
///
/// Their times mean "not before": a request may start a little later if that saves a wake-up.
struct Agenda: Sendable {
  private struct Entry {
    var earliest: WallTime
    /// The latest time to which its wake-up may be postponed for later requests.
    var latest: WallTime
    var number: JobNumber
  }

  /// The tolerance is a tenth of the waiting time, and a minute at most: "tonight" does not mean a certain
  /// second.
  private static let tolerancePart: Int64 = 10
  private static let toleranceMilliseconds: Int64 = 60_000
  /// The maximum number of requests that share a wake-up; limits the search for it.
  private static let groupLimit = 64

  /// Ascending by time, then by number.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }
  var numbers: [JobNumber] { entries.map { $0.number } }

  /// The next wake-up: the latest time within the tolerance of all due requests.
  ///
  /// A single request is due in its millisecond. Ten that are due within each other's tolerance share one
  /// wake-up, when the last of them is due.
  var wakeUp: WallTime? {
    guard let first = entries.first else { return nil }
    var latest = first.latest
    var wakeUp = first.earliest
    for entry in entries.prefix(Agenda.groupLimit) {
      guard entry.earliest <= latest else { break }
      wakeUp = entry.earliest
      latest = min(latest, entry.latest)
    }
    return wakeUp
  }

  /// `now`: the last reported time of day; nil = none yet.
  mutating func insert(_ number: JobNumber, at earliest: WallTime, now: WallTime?) {
    let start = now?.milliseconds ?? earliest.milliseconds
    let (delay, overflow) = earliest.milliseconds.subtractingReportingOverflow(start)
    let tolerance = min(
      Agenda.toleranceMilliseconds, overflow ? .max : max(0, delay) / Agenda.tolerancePart)
    let (sum, isBeyond) = earliest.milliseconds.addingReportingOverflow(tolerance)
    let entry = Entry(
      earliest: earliest, latest: WallTime(milliseconds: isBeyond ? .max : sum), number: number)
    entries.insert(entry, at: index(of: number, at: earliest))
  }

  mutating func remove(_ number: JobNumber, at earliest: WallTime) {
    let index = index(of: number, at: earliest)
    guard index < entries.count, entries[index].number == number else { return }
    entries.remove(at: index)
  }

  /// Takes out the requests whose time has come, ascending by number.
  mutating func removeDue(by now: WallTime) -> [JobNumber] {
    let due = entries.prefix { $0.earliest <= now }
    entries.removeFirst(due.count)
    return due.map { $0.number }.sorted()
  }

  /// Where the request stands, or would.
  private func index(of number: JobNumber, at earliest: WallTime) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if (entries[middle].earliest, entries[middle].number) < (earliest, number) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
