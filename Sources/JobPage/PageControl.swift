internal import LinuxSystem

/// Writes to a page for runner and supervisor: tells the worker to stop, its supervisor to pause it, and a
/// later runner that the attempt has started.
package struct PageControl: ~Copyable {
  let file: FileDescriptor

  package init(path: String) throws(JobPageError) {
    file = try JobPageError.wrapping { () throws(SystemError) in
      try File.open(path, [.read, .write, .noFollow, .nonblocking])
    }
  }

  /// Writes whether the job is paused; a signal makes the supervisor read it.
  package borrowing func write(_ pause: PagePause) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      let keepsSlot: UInt32 = pause.keepsSlot ? 1 : 0
      let details = pause.since.littleEndianBytes + keepsSlot.littleEndianBytes
      // Written last: the mark makes the details valid.
      try file.write(details, at: UInt64(PageLayout.pausedSince))
      try file.write(pause.before.littleEndianBytes, at: UInt64(PageLayout.pausedBefore))
      try file.write(pause.until.littleEndianBytes, at: UInt64(PageLayout.pausedUntil))
      try file.write(pause.mark.littleEndianBytes, at: UInt64(PageLayout.pauseMark))
    }
  }

  /// Writes whether the attempt has a supervisor that starts its worker.
  ///
  /// In memory this survives a disk that loses what was written to the run record.
  package borrowing func write(hasBegun: Bool) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      try file.write(
        UInt32(hasBegun ? 1 : 0).littleEndianBytes, at: UInt64(PageLayout.begun))
    }
  }

  /// Writes the signal to send in place of SIGTERM; the supervisor reads it when it stops the job.
  package borrowing func write(stopSignal: UInt32) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      try file.write(stopSignal.littleEndianBytes, at: UInt64(PageLayout.stopSignal))
    }
  }

  /// The signal that was written; nil for none, and for what is no signal.
  package borrowing func stopSignal() -> Int32? {
    guard let bytes = try? file.read(at: UInt64(PageLayout.stopSignal), maximum: 4),
      bytes.count == 4
    else { return nil }
    let number = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return (1...64).contains(number) ? Int32(number) : nil
  }

  /// Writes reason and deadline, then the stop word, and wakes a worker that waits for it.
  ///
  /// May be repeated with another deadline (on `AwakeClock`), when the worker will be killed. It writes
  /// with pwrite(2), so that a page truncated by the worker cannot crash the caller.
  package borrowing func stop(reason: UInt32, deadline: UInt64) throws(JobPageError) {
    do throws(SystemError) {
      // Reason and deadline are adjacent and are written first: a reader that sees the stop word sees them
      // too.
      let details = reason.littleEndianBytes + deadline.littleEndianBytes
      try file.write(details, at: UInt64(PageLayout.stopReason))
      try file.write(UInt32(1).littleEndianBytes, at: UInt64(PageLayout.control))
      let mapping = try SharedMapping(file, size: PageLayout.size)
      try Futex.wake(mapping, offset: PageLayout.control)
    } catch  where error.number == SystemError.badAddress {
      return  // the page was truncated meanwhile: no worker can wait there
    } catch {
      throw .system(error)
    }
  }
}
