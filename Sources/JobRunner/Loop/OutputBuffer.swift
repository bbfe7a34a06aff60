/// Bytes on their way to whoever reads slowly.
struct OutputBuffer {
  private(set) var bytes: [UInt8] = []
  private(set) var start = 0
  /// One that was given its room back keeps so much.
  private static let roomKept = 4 * 1024

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  /// All has been written: what a long answer needed is not kept for the next one.
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
