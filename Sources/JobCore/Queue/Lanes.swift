/// Which groups there are, and how many of their jobs may run at the same time.
///
/// A lane is a group's place in here; lane 0 is that of all jobs without a group. A group has its lane as
/// long as it has jobs.
struct Lanes: Sendable {
  struct Lane: Sendable {
    var group: GroupName?
    /// Jobs that hold a slot.
    var slotsUsed = 0
    /// Live jobs, and those that have ended and still hold something.
    var jobs = 0
  }

  /// Groups that have jobs: each start looks at all of them.
  static let limit = 100

  private(set) var lanes = [Lane()]
  private var places: [GroupName: Int] = [:]
  private var vacant: [Int] = []
  /// Slots of groups that the owner of the machine has set.
  private var slotsSet: [GroupName: Int] = [:]
  /// Slots of all other groups, and of the jobs without one.
  private(set) var slotsUsual: Int

  init(slots: Int) {
    slotsUsual = max(1, slots)
  }

  /// Sets the usual number; whoever holds a slot keeps it.
  mutating func setSlots(_ count: Int) { slotsUsual = max(1, count) }

  /// Sets those of these groups, and makes those of all others usual.
  mutating func setSlots(of groups: [GroupName: Int]) { slotsSet = groups.mapValues { max(1, $0) } }

  /// The lane of a group that has jobs; nil of one that has none.
  func lane(of group: GroupName?) -> Int? {
    guard let group else { return 0 }
    return places[group]
  }

  func slots(of group: GroupName?) -> Int { group.flatMap { slotsSet[$0] } ?? slotsUsual }

  func slots(in lane: Int) -> Int { slots(of: lanes[lane].group) }

  func slotsFree(in lane: Int) -> Int { max(0, slots(in: lane) - lanes[lane].slotsUsed) }

  /// Of a group, whether it has jobs or not.
  func slotsFree(of group: GroupName?) -> Int {
    lane(of: group).map { slotsFree(in: $0) } ?? slots(of: group)
  }

  func hasRoom(for group: GroupName) -> Bool {
    places[group] != nil || places.count < Lanes.limit
  }

  /// One more job of this group; its lane.
  mutating func enter(_ group: GroupName?) -> Int {
    let lane = lane(of: group) ?? make(group)
    lanes[lane].jobs += 1
    return lane
  }

  /// A job of this lane is gone, with all that it held.
  mutating func leave(_ lane: Int) {
    lanes[lane].jobs -= 1
    guard lane > 0, lanes[lane].jobs == 0, let group = lanes[lane].group else { return }
    places[group] = nil
    lanes[lane] = Lane()
    vacant.append(lane)
  }

  mutating func takeSlot(in lane: Int) { lanes[lane].slotsUsed += 1 }

  mutating func giveSlotBack(to lane: Int) { lanes[lane].slotsUsed -= 1 }

  private mutating func make(_ group: GroupName?) -> Int {
    let lane = vacant.popLast() ?? lanes.count
    if lane == lanes.count { lanes.append(Lane()) }
    lanes[lane].group = group
    if let group { places[group] = lane }
    return lane
  }
}
