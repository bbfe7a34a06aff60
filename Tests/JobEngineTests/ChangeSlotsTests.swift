import JobEngine
import JobPage
import Testing

/// The slots in which supervisors announce changes.
struct ChangeSlotsTests {
  private func assign(_ slots: inout ChangeSlots, keeping slot: UInt32 = 0) -> UInt32 {
    var page = ControlPage()
    page.slot = slot
    slots.assign(to: &page)
    return page.slot
  }

  @Test func `each attempt has one of its own, the lowest that is free`() {
    var slots = ChangeSlots()
    #expect((1...3).map { _ in assign(&slots) } == [1, 2, 3])
    slots.giveBack(2)
    slots.giveBack(1)
    #expect((1...3).map { _ in assign(&slots) } == [1, 2, 4])
    #expect(slots.end == 5)
  }

  @Test func `what an earlier helper gave is kept, and given to nobody else`() {
    var slots = ChangeSlots()
    #expect(assign(&slots, keeping: 3) == 3)
    #expect(assign(&slots, keeping: ChangeFile.slots - 1) == ChangeFile.slots - 1)
    #expect((1...3).map { _ in assign(&slots) } == [1, 2, 4])
    // A damaged page's value is not a slot.
    #expect(assign(&slots, keeping: .max) == 5)
    #expect(assign(&slots, keeping: ChangeFile.slots) == 6)
  }

  @Test func `when all are taken, the rest has none`() {
    var slots = ChangeSlots()
    for _ in 1..<ChangeFile.slots { _ = assign(&slots) }
    #expect(assign(&slots) == 0)
    slots.giveBack(0)
    slots.giveBack(.max)
    #expect(assign(&slots) == 0)
    slots.giveBack(77)
    #expect(assign(&slots) == 77)
  }
}
