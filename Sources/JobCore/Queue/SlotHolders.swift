/// The slot holders that a sentence can name.
struct SlotHolders: Hashable, Sendable {
  /// Jobs that may run at the same time.
  let slots: Int
  /// Jobs that hold a slot.
  let count: Int
  /// Jobs of higher priorities in the queue.
  var ahead = 0
  /// Whose slots they are.
  let owner: LaneOwner
  /// The smallest of their numbers, ascending; `none` after the last.
  private var first = SlotHolders.none
  private var second = SlotHolders.none
  private var third = SlotHolders.none

  /// No job has it.
  private static let none = JobNumber(.max)

  init(slots: Int, count: Int, _ owner: LaneOwner = LaneOwner()) {
    self.slots = slots
    self.owner = owner
    self.count = count
  }

  /// As many are named as ever are.
  var isFull: Bool { third != SlotHolders.none }

  /// Names a job unless three with smaller numbers are named.
  mutating func name(_ number: JobNumber) {
    if number < first {
      (first, second, third) = (number, first, second)
    } else if number < second {
      (second, third) = (number, second)
    } else if number < third {
      third = number
    }
  }

  /// `both slots are taken by jobs 3 and 4`.
  var sentence: String {
    let named = [first, second, third].filter { $0 != SlotHolders.none }
    let holders = words(jobs: named, of: count)
    let urgent =
      ahead == 0 ? "" : "; \(ahead) of a higher priority \(ahead == 1 ? "goes" : "go") first"
    let owner =
      (self.owner.group.map { " of group \($0)" } ?? "")
      + (self.owner.engine.map { " on \($0)" } ?? "")
    switch slots {
    // Only an engine has no places.
    case 0:
      return "no engine is called \(self.owner.engine ?? "so") any more;"
        + " config.json lists the engines"
    case 1: return "the only slot\(owner) is taken by \(holders)\(urgent)"
    case 2: return "both slots\(owner) are taken by \(holders)\(urgent)"
    default: return "all \(slots) slots\(owner) are taken by \(holders)\(urgent)"
    }
  }
}
