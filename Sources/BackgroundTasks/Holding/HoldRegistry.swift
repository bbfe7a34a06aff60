/// The current holds, and the ends that wait for them: a value without locks or clocks.
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

  /// Ends a hold; returns the ends that may continue now, or nil without such a hold.
  mutating func end(_ number: Int) -> [Action]? {
    guard holds.removeValue(forKey: number) != nil else { return nil }
    let ready = waiting.keys.filter { held(by: $0).isEmpty }
    return ready.compactMap { finish($0) }
  }

  /// Keeps `action` until all holds are released; false, without keeping it, when there are none.
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

  /// The handlers of the task's holds that have not been called yet.
  mutating func tell(_ owner: ObjectIdentifier) -> [Action] {
    held(by: owner).compactMap { number in
      defer { holds[number]?.whenExpiring = nil }
      return holds[number]?.whenExpiring
    }
  }

  /// Time is up: drops the holds of a task whose end waits; returns their names, and the end.
  mutating func giveUp(_ owner: ObjectIdentifier) -> (names: [String], ready: [Action]) {
    guard waiting[owner] != nil else { return ([], []) }
    let names = held(by: owner).compactMap { holds[$0]?.name }
    return (names, finish(owner).map { [$0] } ?? [])
  }

  /// Ascending: the handlers of earlier holds are called first.
  private func held(by owner: ObjectIdentifier) -> [Int] {
    holds.filter { $0.value.owner == nil || $0.value.owner == owner }.keys.sorted()
  }

  private mutating func finish(_ owner: ObjectIdentifier) -> Action? {
    deadlines[owner] = nil
    for (number, hold) in holds where hold.owner == owner { holds[number] = nil }
    return waiting.removeValue(forKey: owner)
  }
}
