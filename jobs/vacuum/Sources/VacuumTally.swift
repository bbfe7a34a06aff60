internal import JobFiles

/// The results for all databases.
struct VacuumTally: Hashable {
  /// The result for one database.
  enum Result: Hashable {
    case shrunk(from: Int64, to: Int64)
    /// It is sound and has no unused space.
    case whole
    /// It was left unchanged; the reason.
    case left(String)
    case damaged(String)
  }

  private(set) var checked = 0
  private(set) var shrunk = 0
  private(set) var left: Int
  private(set) var damaged = 0
  private(set) var reclaimed: Int64 = 0

  /// `unreadable`: files and folders that the search could not read.
  init(unreadable: Int) {
    left = unreadable
  }

  /// Counts one database and logs its result.
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
