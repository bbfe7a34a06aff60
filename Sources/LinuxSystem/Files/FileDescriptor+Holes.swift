internal import CLinux
internal import Glibc

// Sparse files: holes take no space and read as zeros (lseek(2), fallocate(2)).
extension FileDescriptor {
  /// Frees the space of a range; the size of the file stays.
  ///
  /// - Throws: when the file system does not support holes.
  package borrowing func punchHole(_ range: Range<UInt64>) throws(SystemError) {
    try SystemError.check(
      clinux_punch_hole(
        number, Int64(range.lowerBound), Int64(range.upperBound - range.lowerBound)),
      "free a part of a file")
  }

  /// The first hole, which ends at the next data or at `size`; nil when there is none.
  package borrowing func firstHole(before size: UInt64) -> Range<UInt64>? {
    guard let start = holeStart(from: 0), start < size else { return nil }
    return start..<(dataStart(from: start) ?? size)
  }

  /// The start of the next data at or after `offset`; nil when no data follows.
  ///
  /// Returns `offset` where the file system cannot tell.
  package borrowing func dataStart(from offset: UInt64) -> UInt64? {
    let found = clinux_seek_data(number, Int64(clamping: offset))
    return found >= 0 ? UInt64(found) : found == -Int64(ENXIO) ? nil : offset
  }

  /// The start of the next hole.
  ///
  /// The end of the file counts as a hole; nil if unknown.
  package borrowing func holeStart(from offset: UInt64) -> UInt64? {
    let found = clinux_seek_hole(number, Int64(clamping: offset))
    return found >= 0 ? UInt64(found) : nil
  }
}
