internal import JobFiles

/// What became of the databases.
struct VacuumTally: Hashable {
  /// What became of one.
  enum Result: Hashable {
    case shrunk(from: Int64, to: Int64)
    /// It is sound and uses all of its space.
    case whole
    /// It was left as it is; why.
    case left(String)
    case damaged(String)
  }

  private(set) var checked = 0
  private(set) var shrunk = 0
  private(set) var left: Int
  private(set) var damaged = 0
  private(set) var reclaimed: Int64 = 0

  /// `unreadable`: what the search could not look into.
  init(unreadable: Int) {
    left = unreadable
  }

  /// Counts one database and says what became of it.
  mutating func take(_ result: Result, of path: BytePath) {
    switch result {
    case .shrunk(let old, let new):
      checked += 1
      shrunk += 1
      reclaimed += old - new
      Report.say("\(path): \(Report.bytes(old)), now \(Report.bytes(new))")
    case .whole:
      checked += 1
      Report.say("\(path): sound, nothing to give back")
    case .left(let reason):
      left += 1
      Report.say("\(path): left alone: \(reason)")
    case .damaged(let fault):
      damaged += 1
      Report.say("\(path): damaged, left alone: \(fault)")
    }
  }

  /// All of it in one sentence.
  var summary: String {
    var parts = ["\(Report.count(checked, "database")) sound"]
    if shrunk > 0 {
      parts.append("\(Report.number(shrunk)) vacuumed, \(Report.bytes(reclaimed)) given back")
    }
    if left > 0 { parts.append("\(Report.number(left)) left alone") }
    if damaged > 0 { parts.append("\(Report.number(damaged)) damaged") }
    return parts.joined(separator: ", ")
  }
}
