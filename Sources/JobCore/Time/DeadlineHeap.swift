/// The next deadline of each job, the earliest first.
///
/// A binary heap that tracks the index of each job's entry, so that a moved or removed deadline leaves no stale
/// entry: an idle core must not wake up for those.
struct DeadlineHeap: Sendable {
  private struct Entry {
    var due: Instant
    /// The job's place in the `LiveJobs`.
    var index: Int
  }

  private static let absent = -1

  private var entries: [Entry] = []
  /// By place: where the entry lies in `entries`.
  private var positions: [Int] = []

  /// The earliest deadline of all.
  var earliest: Instant? { entries.first?.due }
  var count: Int { entries.count }

  /// The deadline of the job at `index`.
  func deadline(at index: Int) -> Instant? {
    guard index < positions.count, positions[index] != DeadlineHeap.absent else { return nil }
    return entries[positions[index]].due
  }

  /// Makes `due` the only deadline of the job at `index`; nil removes it.
  ///
  /// Complexity: O(log *n*), and O(1) when it was the same before.
  mutating func set(_ due: Instant?, at index: Int) {
    while positions.count <= index { positions.append(DeadlineHeap.absent) }
    let position = positions[index]
    guard let due else {
      if position != DeadlineHeap.absent { remove(at: position) }
      return
    }
    guard position != DeadlineHeap.absent else {
      entries.append(Entry(due: due, index: index))
      positions[index] = entries.count - 1
      return rise(from: entries.count - 1)
    }
    let old = entries[position].due
    guard old != due else { return }
    entries[position].due = due
    if due < old { rise(from: position) } else { sink(from: position) }
  }

  /// Takes out a job whose deadline has come by `now`; nil when none has.
  mutating func popDue(by now: Instant) -> Int? {
    guard let first = entries.first, first.due <= now else { return nil }
    remove(at: 0)
    return first.index
  }

  /// Frees the capacity that a large number of jobs had needed; only while no deadline is set.
  mutating func releaseCapacity() {
    guard entries.isEmpty, positions.count > LiveJobs.roomKept else { return }
    self = DeadlineHeap()
  }

  private mutating func remove(at position: Int) {
    positions[entries[position].index] = DeadlineHeap.absent
    let last = entries.removeLast()
    guard position < entries.count else { return }
    entries[position] = last
    positions[last.index] = position
    rise(from: position)
    sink(from: positions[last.index])
  }

  private mutating func rise(from start: Int) {
    var position = start
    while position > 0 {
      let parent = (position - 1) / 2
      guard entries[position].due < entries[parent].due else { return }
      exchange(position, parent)
      position = parent
    }
  }

  private mutating func sink(from start: Int) {
    var position = start
    while true {
      var least = position
      let left = 2 * position + 1
      let right = left + 1
      if left < entries.count, entries[left].due < entries[least].due { least = left }
      if right < entries.count, entries[right].due < entries[least].due { least = right }
      guard least != position else { return }
      exchange(position, least)
      position = least
    }
  }

  private mutating func exchange(_ left: Int, _ right: Int) {
    entries.swapAt(left, right)
    positions[entries[left].index] = left
    positions[entries[right].index] = right
  }
}
