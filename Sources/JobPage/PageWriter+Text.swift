internal import LinuxSystem
internal import Synchronization

extension PageWriter {
  /// Sets the given texts, cut to 253 bytes of UTF-8; nil leaves a text as it is.
  package borrowing func setText(title: String? = nil, subtitle: String? = nil) {
    locked {
      // An odd number here means that a writer was killed meanwhile; the next even one repairs it.
      let sequence = unsafe word64(PageLayout.textSequence)
      let odd = unsafe sequence.pointee.load(ordering: .relaxed) | 1
      unsafe sequence.pointee.store(odd, ordering: .relaxed)
      atomicMemoryFence(ordering: .releasing)
      if let title { write(title, PageLayout.title) }
      if let subtitle { write(subtitle, PageLayout.subtitle) }
      unsafe sequence.pointee.store(odd &+ 1, ordering: .releasing)
    }
  }

  /// Declares the result of the work; the last declaration counts.
  ///
  /// The message is one line for a person, cut to 253 bytes of UTF-8.
  package borrowing func declare(
    _ outcome: PageOutcome, message: String = "", deferSeconds: UInt32 = 0
  ) {
    locked {
      write(message, PageLayout.message)
      unsafe word32(PageLayout.deferSeconds).pointee.store(deferSeconds, ordering: .relaxed)
      unsafe word32(PageLayout.outcome).pointee.store(outcome.rawValue, ordering: .releasing)
    }
  }

  /// Sets the message without declaring a result.
  package borrowing func setMessage(_ message: String) {
    locked { write(message, PageLayout.message) }
  }

  /// The request to stop; nil while the worker may go on.
  package var stop: PageStop? {
    guard unsafe word32(PageLayout.control).pointee.load(ordering: .acquiring) != 0 else {
      return nil
    }
    return PageStop(
      reason: unsafe word32(PageLayout.stopReason).pointee.load(ordering: .relaxed),
      deadline: unsafe word64(PageLayout.stopDeadline).pointee.load(ordering: .relaxed))
  }

  /// Sleeps until the page asks the worker to stop, or until the deadline (on `AwakeClock`).
  ///
  /// - Returns: the stop, or nil at the deadline.
  package borrowing func waitForStop(until deadline: UInt64?) -> PageStop? {
    while true {
      if let stop { return stop }
      if let deadline, AwakeClock.now() >= deadline { return nil }
      Futex.wait(mapping, offset: PageLayout.control, expected: 0, until: deadline)
    }
  }

  /// Releases the threads that wait for a stop of a finished attempt.
  ///
  /// It writes the runner's word, which is no longer read once the outcome is declared.
  package borrowing func endWaiting() {
    unsafe word32(PageLayout.control).pointee.store(1, ordering: .releasing)
    // A truncated page has no waiting threads.
    _ = try? Futex.wake(mapping, offset: PageLayout.control)
  }

  private func write(_ text: String, _ offset: Int) {
    let bytes = Self.cut(text)
    unsafe (mapping.address + offset).storeBytes(
      of: UInt16(bytes.count).littleEndian, as: UInt16.self)
    for (index, byte) in bytes.enumerated() {
      unsafe (mapping.address + offset + 2 + index).storeBytes(of: byte, as: UInt8.self)
    }
  }

  /// As many whole characters as fit.
  private static func cut(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text {
      guard bytes.count + character.utf8.count <= PageLayout.textBytes else { break }
      bytes += character.utf8
    }
    return bytes
  }
}
