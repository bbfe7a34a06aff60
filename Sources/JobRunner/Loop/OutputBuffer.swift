/// Bytes waiting for a slow reader.
struct OutputBuffer {
  private(set) var bytes: [UInt8] = []
  private(set) var start = 0
  /// The capacity that is kept after a release.
  private static let roomKept = 4 * 1024

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  /// Frees the capacity of a long answer once all is written.
  mutating func releaseCapacity() {
    if isEmpty, bytes.capacity > Self.roomKept { self = OutputBuffer() }
  }

  mutating func append(_ write: (inout [UInt8]) -> Void) { write(&bytes) }

  mutating func append(contentsOf more: [UInt8]) { bytes.append(contentsOf: more) }

  /// The bytes still to be written.
  var pending: ArraySlice<UInt8> { bytes[start...] }

  /// Forgets `count` bytes that were written; compacts when half of the buffer is dead.
  mutating func consume(_ count: Int) {
    start += count
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    } else if start > bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
  }
}
