/// Finds the place of a job in the `LiveJobs` by the hash of something that names it.
///
/// An open hash table with linear probing that holds places instead of names: the job has the only copy of its
/// name, and the caller compares it there. Swift's `Dictionary` with names as keys needs four times as much
/// memory and makes each submission and end of a job twice as slow. Names come from the user's own submissions,
/// so collision attacks are no concern.
struct HashIndex: Sendable {
  private struct Entry {
    var hash: UInt32
    /// `vacant` if the slot is empty.
    var index: Int32
  }

  private static let vacant: Int32 = -1

  /// A power of two long, at most half full.
  private var entries = [Entry](
    repeating: Entry(hash: 0, index: HashIndex.vacant), count: 16)
  private(set) var count = 0

  private var mask: Int { entries.count - 1 }

  /// The first place with this hash for which `isMatch` holds.
  @inline(__always)
  func index(hash: UInt32, where isMatch: (Int) -> Bool) -> Int? {
    var position = Int(hash) & mask
    while entries[position].index != HashIndex.vacant {
      let entry = entries[position]
      if entry.hash == hash, isMatch(Int(entry.index)) { return Int(entry.index) }
      position = (position + 1) & mask
    }
    return nil
  }

  mutating func insert(_ index: Int, hash: UInt32) {
    if (count + 1) * 2 > entries.count { grow() }
    put(Entry(hash: hash, index: Int32(truncatingIfNeeded: index)))
    count += 1
  }

  /// Removes one place, if it is present.
  mutating func remove(_ index: Int, hash: UInt32) {
    var position = Int(hash) & mask
    while entries[position].index != Int32(truncatingIfNeeded: index) {
      if entries[position].index == HashIndex.vacant { return }
      position = (position + 1) & mask
    }
    close(position)
    count -= 1
  }

  /// Moves later entries of the same run up, so that no search ends too early.
  private mutating func close(_ start: Int) {
    var gap = start
    var position = (gap + 1) & mask
    while entries[position].index != HashIndex.vacant {
      let home = Int(entries[position].hash) & mask
      // How far the entry is from its home, and how far the gap is before the entry.
      if (position - home) & mask >= (position - gap) & mask {
        entries[gap] = entries[position]
        gap = position
      }
      position = (position + 1) & mask
    }
    entries[gap].index = HashIndex.vacant
  }

  private mutating func put(_ entry: Entry) {
    var position = Int(entry.hash) & mask
    while entries[position].index != HashIndex.vacant { position = (position + 1) & mask }
    entries[position] = entry
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](
      repeating: Entry(hash: 0, index: HashIndex.vacant), count: old.count * 2)
    for entry in old where entry.index != HashIndex.vacant { put(entry) }
  }
}

/// A hash for `HashIndex`, the same in every process; eight bytes at a time.
func placeHash(_ text: String) -> UInt32 {
  let bytes = text.utf8Span.span
  let whole = bytes.count & ~7
  var hash = UInt64(bytes.count)
  var index = 0
  while index < whole {
    hash = mixed(hash ^ word(bytes, index..<index + 8))
    index += 8
  }
  return placeHash(hash ^ word(bytes, whole..<bytes.count))
}

/// The bytes in a range of at most eight as one number.
@inline(__always)
private func word(_ bytes: Swift.Span<UInt8>, _ range: Range<Int>) -> UInt64 {
  var word: UInt64 = 0
  for index in range { word = word << 8 | UInt64(bytes[index]) }
  return word
}

/// A hash for `HashIndex` that keeps eight numbers in a row next to each other.
///
/// Jobs are submitted and started in the order of their numbers, so that seven of eight look-ups hit the cache.
func placeHash(_ number: JobNumber) -> UInt32 {
  placeHash(number.value >> 3) & ~7 | UInt32(truncatingIfNeeded: number.value & 7)
}

/// A hash for `HashIndex`: all bits of `value` mixed into 32.
private func placeHash(_ value: UInt64) -> UInt32 {
  UInt32(truncatingIfNeeded: mixed(value) >> 32)
}

/// Every bit of `value` spread over the word, as SplitMix64 does.
private func mixed(_ value: UInt64) -> UInt64 {
  let once = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
  let twice = (once ^ (once >> 27)) &* 0x94D0_49BB_1331_11EB
  return twice ^ (twice >> 31)
}
