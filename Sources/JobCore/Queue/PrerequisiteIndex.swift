/// Which jobs wait for which others to succeed, indexed from both sides.
///
/// The end of a job costs time only for its own dependents, however many others wait.
struct PrerequisiteIndex: Sendable {
  /// By waiting job; no entry is empty.
  private var awaited: [JobNumber: OrderedNumbers] = [:]
  /// By the awaited job; no entry is empty.
  private var dependents: [JobNumber: OrderedNumbers] = [:]

  /// Jobs that wait, in any order.
  var waiting: [JobNumber] { Array(awaited.keys) }

  /// The jobs that `number` still waits for.
  func awaited(by number: JobNumber) -> OrderedNumbers { awaited[number] ?? OrderedNumbers() }

  func waits(_ number: JobNumber) -> Bool { awaited[number] != nil }

  func isAwaited(_ number: JobNumber) -> Bool { dependents[number] != nil }

  /// The jobs that wait for `prerequisite`, ascending.
  func dependents(of prerequisite: JobNumber) -> [JobNumber] {
    dependents[prerequisite]?.elements ?? []
  }

  mutating func insert(_ number: JobNumber, after prerequisite: JobNumber) {
    awaited[number, default: OrderedNumbers()].insert(prerequisite)
    dependents[prerequisite, default: OrderedNumbers()].insert(number)
  }

  /// `number` waits for `prerequisite` no longer.
  mutating func remove(_ number: JobNumber, after prerequisite: JobNumber) {
    awaited[number]?.remove(prerequisite)
    if awaited[number]?.isEmpty == true { awaited[number] = nil }
    dependents[prerequisite]?.remove(number)
    if dependents[prerequisite]?.isEmpty == true { dependents[prerequisite] = nil }
  }

  /// Removes all prerequisites of `number`.
  mutating func remove(_ number: JobNumber) {
    for prerequisite in awaited[number]?.elements ?? [] { remove(number, after: prerequisite) }
  }

  /// Takes out all that waits for `prerequisite`, and answers it, ascending.
  mutating func settle(_ prerequisite: JobNumber) -> [JobNumber] {
    let waiting = dependents[prerequisite]?.elements ?? []
    for number in waiting { remove(number, after: prerequisite) }
    return waiting
  }

  /// Entries of one side that the other side lacks; empty when both agree.
  var disagreements: [String] {
    var broken: [String] = []
    for (number, prerequisites) in awaited {
      for prerequisite in prerequisites.elements
      where dependents[prerequisite]?.contains(number) != true {
        broken.append("job \(number) waits for job \(prerequisite), which does not know")
      }
    }
    let forward = awaited.values.reduce(0) { $0 + $1.count }
    let backward = dependents.values.reduce(0) { $0 + $1.count }
    if forward != backward {
      broken.append("jobs wait for \(forward) ends, and \(backward) are told to jobs")
    }
    return broken
  }
}
