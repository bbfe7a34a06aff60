internal import CLinux
internal import Glibc

/// The first bytes of a file in shared memory (mmap(2)); unmapped when the value goes away.
///
/// Touching the memory after another process has truncated the file ends this process with SIGBUS: map only
/// files whose loss this process alone would cause or suffer.
@safe
package struct SharedMapping: ~Copyable, @unchecked Sendable {
  // Sendable: the address never changes, and every access through `address` must be atomic, as another
  // process writes the memory at the same time.

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
  /// Sleeps until the word at `offset` is no longer `expected`, a wake call, or the deadline.
  ///
  /// It may return early without a reason: check the word again.
  package static func wait(
    _ mapping: borrowing SharedMapping, offset: Int, expected: UInt32, until deadline: UInt64?
  ) {
    _ = unsafe clinux_futex_wait(
      mapping.address.advanced(by: offset).assumingMemoryBound(to: UInt32.self), expected,
      Timeout.nanoseconds(until: deadline))
  }

  /// Wakes all sleepers on the word at `offset` and returns their number.
  ///
  /// The kernel only looks the address up and never reads it: a truncated file gives `badAddress` here, no
  /// SIGBUS.
  @discardableResult
  package static func wake(
    _ mapping: borrowing SharedMapping, offset: Int
  ) throws(SystemError) -> Int {
    let woken = unsafe clinux_futex_wake(
      mapping.address.advanced(by: offset).assumingMemoryBound(to: UInt32.self))
    return Int(try SystemError.check(woken, "wake a waiter"))
  }
}
