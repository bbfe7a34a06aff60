internal import CLinux
internal import Glibc

// Files with holes: stretches that take no room and read as zeros (lseek(2), fallocate(2)).
extension FileDescriptor {
  /// Frees the room of a stretch; the size of the file stays.
  ///
  /// - Throws: when the file system has no holes.
  package borrowing func punchHole(_ range: Range<UInt64>) throws(SystemError) {
    try SystemError.check(
      clinux_punch_hole(
        number, Int64(range.lowerBound), Int64(range.upperBound - range.lowerBound)),
      "free a part of a file")
  }

  /// The first hole, which ends where data goes on or at `size`; nil when there is none.
  package borrowing func firstHole(before size: UInt64) -> Range<UInt64>? {
    guard let start = holeStart(from: 0), start < size else { return nil }
    return start..<(dataStart(from: start) ?? size)
  }

  /// Where the next data begins, at `offset` or later; nil when none follows.
  ///
  /// Where that is unknown, it begins there.
  package borrowing func dataStart(from offset: UInt64) -> UInt64? {
    let found = clinux_seek_data(number, Int64(clamping: offset))
    return found >= 0 ? UInt64(found) : found == -Int64(ENXIO) ? nil : offset
  }

  /// Where the next hole begins.
  ///
  /// The end of the file is one; nil if unknown.
  package borrowing func holeStart(from offset: UInt64) -> UInt64? {
    let found = clinux_seek_hole(number, Int64(clamping: offset))
    return found >= 0 ? UInt64(found) : nil
  }
}
