/// A job's share of the slots.
struct SlotShare: Hashable, Sendable {
  /// At least 1.
  var slots: Int32 = 1
  /// No other job runs on this machine meanwhile.
  var isAlone = false
}

/// Whose slots a job waits for.
struct LaneOwner: Hashable, Sendable {
  var group: GroupName?
  /// The engine that runs its attempts; nil = this machine.
  var engine: String?
}

/// Groups and engines, with the number of jobs that may run in each at the same time.
///
/// A lane is the index of the jobs that share slots; lane 0 has all jobs of this machine without a group. Every
/// group or engine with jobs has a lane. A group has the same number of slots on each engine as here; on an
/// engine they are also places of that engine, which all of its lanes share. A job of a pool takes a slot of its
/// lane, and one of the machine that was chosen for it.
struct Lanes: Sendable {
  struct Lane: Sendable {
    var owner = LaneOwner()
    /// Slots that jobs hold.
    var slotsUsed = 0
    /// Jobs that hold them.
    var holders = 0
    /// The number of slots that its jobs ask for; 0 = not set.
    var slotsBrought = 0
    /// Live jobs, and ended ones that still hold resources.
    var jobs = 0
  }

  /// The maximum number of lanes beside the first: each start scans all of them.
  static let limit = 100

  private(set) var lanes = [Lane()]
  private var places: [LaneOwner: Int] = [:]
  private var vacant: [Int] = []
  /// Slots of groups that the owner of the machine has set.
  private var slotsSet: [GroupName: Int] = [:]
  /// Slots of all other groups, and of the jobs without one.
  private(set) var slotsUsual: Int
  /// Most attempts that each engine has at a time.
  var engines: [String: Int] = [:]
  /// The machines of each pool, in their order; each other machine is a pool of its own.
  var pools: [String: [String]] = [:]
  /// How many slots jobs hold on each engine.
  private(set) var away: [String: Int] = [:]
  /// How many slots of this machine jobs of pools hold.
  private(set) var pooledHere = 0
  /// Jobs of this machine that run alone: one, or more where an earlier runner has left them.
  private(set) var alone = 0
  /// The same of other machines.
  private var aloneAway: [String: Int] = [:]

  init(slots: Int) {
    slotsUsual = max(1, slots)
  }

  /// Sets the default number; jobs keep the slots they hold.
  mutating func setSlots(_ count: Int) { slotsUsual = max(1, count) }

  /// Sets the slots of these groups; all others get the default.
  mutating func setSlots(of groups: [GroupName: Int]) { slotsSet = groups.mapValues { max(1, $0) } }

  /// The lane of `owner`; nil if it has no jobs.
  func lane(of owner: LaneOwner) -> Int? {
    owner == LaneOwner() ? 0 : places[owner]
  }

  func slots(of owner: LaneOwner) -> Int {
    let set = owner.group.flatMap { slotsSet[$0] ?? slotsBrought(by: owner) }
    guard let engine = owner.engine else { return set ?? slotsUsual }
    return min(set ?? .max, slots(on: engine))
  }

  /// Of an engine, of all machines of a pool, or of this machine for jobs without a group.
  func slots(on engine: String) -> Int {
    if engine == MachineName.here { return slotsUsual }
    return engines[engine] ?? pools[engine]?.reduce(0) { $0 + slots(on: $1) } ?? 0
  }

  private func slotsBrought(by owner: LaneOwner) -> Int? {
    lane(of: owner).flatMap { lanes[$0].slotsBrought > 0 ? lanes[$0].slotsBrought : nil }
  }

  /// Slots of this machine that jobs hold.
  var slotsUsedHere: Int {
    lanes.reduce(pooledHere) { $1.owner.engine == nil ? $0 + $1.slotsUsed : $0 }
  }

  /// Slots of a machine that jobs hold; here, of jobs without a group.
  func slotsUsed(on machine: String) -> Int {
    machine == MachineName.here ? lanes[0].slotsUsed + pooledHere : away[machine] ?? 0
  }

  /// Slots that are free on an engine, on all machines of a pool, or here for jobs without a group.
  func slotsFree(on engine: String) -> Int {
    if engine == MachineName.here {
      return alone > 0 ? 0 : max(0, slotsUsual - slotsUsed(on: engine))
    }
    if let own = engines[engine] {
      return aloneAway[engine] == nil ? max(0, own - (away[engine] ?? 0)) : 0
    }
    return pools[engine]?.reduce(0) { $0 + slotsFree(on: $1) } ?? 0
  }

  func slotsFree(in lane: Int) -> Int {
    free(of: lanes[lane].owner, used: lanes[lane].slotsUsed)
  }

  /// Of a group or an engine, whether it has jobs or not.
  func slotsFree(of owner: LaneOwner) -> Int {
    free(of: owner, used: lane(of: owner).map { lanes[$0].slotsUsed } ?? 0)
  }

  private func free(of owner: LaneOwner, used: Int) -> Int {
    let own = max(0, slots(of: owner) - used)
    if let engine = owner.engine { return min(own, slotsFree(on: engine)) }
    if alone > 0 { return 0 }
    return owner.group == nil ? max(0, own - pooledHere) : own
  }

  /// Whether a job in the one lane takes a slot that the other could use.
  func shares(_ lane: Int, with owner: LaneOwner) -> Bool {
    let other = lanes[lane].owner
    if other == owner { return true }
    if owner.engine == other.engine { return owner.engine != nil }
    if pools.isEmpty { return false }
    let places = places(of: owner)
    return self.places(of: other).contains { places.contains($0) }
  }

  /// The machines and engines whose slots jobs of `owner` take.
  private func places(of owner: LaneOwner) -> [String] {
    guard let engine = owner.engine else { return owner.group == nil ? [MachineName.here] : [] }
    return engines[engine] == nil ? pools[engine] ?? [] : [engine]
  }

  func hasRoom(for owner: LaneOwner) -> Bool {
    lane(of: owner) != nil || places.count < Lanes.limit
  }

  /// Adds a job of `owner`, which may set the number of its slots; returns the lane.
  mutating func enter(_ owner: LaneOwner, slots: Int) -> Int {
    let lane = lane(of: owner) ?? make(owner)
    lanes[lane].jobs += 1
    if slots > 0, owner.group != nil { lanes[lane].slotsBrought = slots }
    return lane
  }

  /// A job of this lane is gone, with all that it held.
  mutating func leave(_ lane: Int) {
    lanes[lane].jobs -= 1
    guard lane > 0, lanes[lane].jobs == 0 else { return }
    places[lanes[lane].owner] = nil
    lanes[lane] = Lane()
    vacant.append(lane)
  }

  mutating func takeSlot(for lease: inout Lease) {
    lease.hasSlot = true
    count(lease, 1)
  }

  /// Releases only the slot (the job's prompt is unanswered, or it is paused).
  mutating func releaseSlot(of lease: inout Lease) {
    guard lease.hasSlot else { return }
    lease.hasSlot = false
    lease.slotUntil = nil
    count(lease, -1)
  }

  private mutating func count(_ lease: Lease, _ sign: Int) {
    let (lane, slots) = (Int(lease.lane), sign * Int(lease.share.slots))
    lanes[lane].slotsUsed += slots
    lanes[lane].holders += sign
    let place = lease.machine ?? lanes[lane].owner.engine
    guard let place, place != MachineName.here else {
      if place != nil { pooledHere += slots }
      if lease.share.isAlone { alone += sign }
      return
    }
    Lanes.add(slots, of: place, to: &away)
    if lease.share.isAlone { Lanes.add(sign, of: place, to: &aloneAway) }
  }

  private static func add(_ count: Int, of place: String, to counts: inout [String: Int]) {
    let sum = (counts[place] ?? 0) + count
    counts[place] = sum > 0 ? sum : nil
  }

  private mutating func make(_ owner: LaneOwner) -> Int {
    let lane = vacant.popLast() ?? lanes.count
    if lane == lanes.count { lanes.append(Lane()) }
    lanes[lane].owner = owner
    places[owner] = lane
    return lane
  }
}
