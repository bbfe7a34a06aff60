internal import Glibc

/// The buffer for all content.
@safe
package final class ReadBlock {
  /// Large enough for most files, small enough to stay in the processor's cache.
  package let count = 256 << 10

  private let memory: UnsafeMutableRawBufferPointer

  package init() {
    unsafe memory = .allocate(byteCount: count, alignment: 4096)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Reads until the block is full or the file ends; -1, with `errno` set, when reading fails.
  package func fill(from descriptor: Int32) -> Int {
    var filled = 0
    while filled < count {
      let result = unsafe read(descriptor, memory.baseAddress?.advanced(by: filled), count - filled)
      if result < 0, errno == EINTR { continue }
      if result < 0 { return -1 }
      if result == 0 { break }
      filled += result
    }
    return filled
  }

  package func clear() {
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// The first bytes, valid until the next call.
  package func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: memory[..<count])
  }
}
