package import JobPage

/// Which number each attempt of an engine has in the file that tells whose mirror is new.
package struct ChangeSlots {
  /// By number; the first is nobody's.
  private var isTaken = [true]
  /// None below it is free.
  private var lowest: UInt32 = 1

  package init() {}

  /// Above all that were given so far.
  package var end: UInt32 { UInt32(isTaken.count) }

  /// Gives an attempt the lowest that is free, or leaves it the one that an earlier helper gave it; none when
  /// all are taken.
  ///
  /// That one may be another's, too, where the earlier helper did not know of both: then both are looked at.
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
