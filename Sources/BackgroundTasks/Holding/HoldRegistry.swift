/// Which holds there are, and who waits for their end: a value without locks or clocks.
struct HoldRegistry {
  typealias Action = @Sendable () -> Void

  struct Hold: Sendable {
    var name: String
    /// The task that it belongs to; nil = the program.
    var owner: ObjectIdentifier?
    var whenExpiring: Action?
  }

  private var holds: [Int: Hold] = [:]
  private var nextNumber = 1
  /// The ends that wait, by task.
  private var waiting: [ObjectIdentifier: Action] = [:]
  /// Until when the end of a task may wait, on the clock of `Holds`.
  private var deadlines: [ObjectIdentifier: UInt64] = [:]

  var isEmpty: Bool { holds.isEmpty }

  /// Begins one; nil when the time of its task is up.
  mutating func begin(_ hold: Hold, at now: UInt64) -> Int? {
    if let deadline = deadline(of: hold.owner), deadline <= now { return nil }
    holds[nextNumber] = hold
    nextNumber += 1
    return nextNumber - 1
  }

  /// The ends that may go on now; nil when there is no such hold.
  mutating func end(_ number: Int) -> [Action]? {
    guard holds.removeValue(forKey: number) != nil else { return nil }
    let ready = waiting.keys.filter { held(by: $0).isEmpty }
    return ready.compactMap { finish($0) }
  }

  /// Keeps `action` until nothing is held; false, and nothing is kept, when nothing is.
  mutating func wait(_ owner: ObjectIdentifier, _ action: @escaping Action) -> Bool {
    guard !held(by: owner).isEmpty else {
      deadlines[owner] = nil
      return false
    }
    waiting[owner] = action
    return true
  }

  func deadline(of owner: ObjectIdentifier?) -> UInt64? { owner.flatMap { deadlines[$0] } }

  /// False when the task has this limit, or an earlier one, already.
  mutating func limit(_ owner: ObjectIdentifier, to deadline: UInt64) -> Bool {
    if let known = deadlines[owner], known <= deadline { return false }
    deadlines[owner] = deadline
    return true
  }

  /// The handlers of what is held for the task that have not been told yet.
  mutating func tell(_ owner: ObjectIdentifier) -> [Action] {
    held(by: owner).compactMap { number in
      defer { holds[number]?.whenExpiring = nil }
      return holds[number]?.whenExpiring
    }
  }

  /// Time is up: forgets what is held for a task whose end waits; the names, and the end.
  mutating func giveUp(_ owner: ObjectIdentifier) -> (names: [String], ready: [Action]) {
    guard waiting[owner] != nil else { return ([], []) }
    let names = held(by: owner).compactMap { holds[$0]?.name }
    return (names, finish(owner).map { [$0] } ?? [])
  }

  /// Ascending: what was begun first is told first.
  private func held(by owner: ObjectIdentifier) -> [Int] {
    holds.filter { $0.value.owner == nil || $0.value.owner == owner }.keys.sorted()
  }

  private mutating func finish(_ owner: ObjectIdentifier) -> Action? {
    deadlines[owner] = nil
    for (number, hold) in holds where hold.owner == owner { holds[number] = nil }
    return waiting.removeValue(forKey: owner)
  }
}
