internal import CLinux
internal import Glibc

/// A file's first bytes in shared memory (mmap(2)); unmapped when the value goes away.
///
/// Touching it after another process has cut the file short ends this process with SIGBUS: map only
/// files whose loss would be one's own problem.
@safe
package struct SharedMapping: ~Copyable, @unchecked Sendable {
  // Sendable: the address never changes, and whoever touches the memory through `address` must do
  // so with atomics, as another process writes it at the same time.

  /// The first byte; page-aligned, valid as long as this value lives.
  @unsafe package let address: UnsafeMutableRawPointer
  /// In bytes.
  package let size: Int

  package init(
    _ descriptor: borrowing FileDescriptor, size: Int, writable: Bool = true
  ) throws(SystemError) {
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    let mapped = unsafe mmap(nil, size, protection, MAP_SHARED, descriptor.number, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      throw SystemError("map a file", errno)
    }
    unsafe address = mapped
    self.size = size
  }

  deinit {
    unsafe munmap(address, size)
  }
}

/// Waiting on a 32-bit word of shared memory (futex(2)).
package enum Futex {
  /// Sleeps until the word at `offset` is no longer `expected`, somebody wakes, or the deadline.
  ///
  /// It may return early for no reason: look at the word again.
  package static func wait(
    _ mapping: borrowing SharedMapping, offset: Int, expected: UInt32, until deadline: UInt64?
  ) {
    _ = unsafe clinux_futex_wait(
      mapping.address.advanced(by: offset).assumingMemoryBound(to: UInt32.self), expected,
      Timeout.nanoseconds(until: deadline))
  }

  /// Wakes everybody who sleeps on the word at `offset`; how many there were.
  ///
  /// The kernel only looks the address up and never reads it: a file that was cut short gives
  /// `badAddress` here, no SIGBUS.
  @discardableResult
  package static func wake(
    _ mapping: borrowing SharedMapping, offset: Int
  ) throws(SystemError) -> Int {
    let woken = unsafe clinux_futex_wake(
      mapping.address.advanced(by: offset).assumingMemoryBound(to: UInt32.self))
    return Int(try SystemError.check(woken, "wake a waiter"))
  }
}
