package import JobPage

/// The slot of each attempt of an engine in the file that announces changed mirrors.
package struct ChangeSlots {
  /// By slot; slot 0 means none.
  private var isTaken = [true]
  /// All below it are taken.
  private var lowest: UInt32 = 1

  package init() {}

  /// Above all slots that were given so far.
  package var end: UInt32 { UInt32(isTaken.count) }

  /// Gives an attempt the lowest free slot, or keeps the one that an earlier helper gave it; none when all
  /// are taken.
  ///
  /// Two attempts may share a slot, where the earlier helper did not know of both: then both are checked.
  package mutating func assign(to page: inout ControlPage) {
    if page.slot > 0, page.slot < ChangeFile.slots { return take(page.slot) }
    while lowest < end, isTaken[Int(lowest)] { lowest += 1 }
    page.slot = lowest < ChangeFile.slots ? lowest : 0
    if page.slot > 0 { take(page.slot) }
  }

  package mutating func giveBack(_ slot: UInt32) {
    guard slot > 0, slot < end else { return }
    isTaken[Int(slot)] = false
    lowest = min(lowest, slot)
  }

  private mutating func take(_ slot: UInt32) {
    while end <= slot { isTaken.append(false) }
    isTaken[Int(slot)] = true
  }
}
