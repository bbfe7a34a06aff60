internal import LinuxSystem

/// The hand of runner and supervisor on a page: telling the worker to stop, its supervisor to pause it, and
/// a later runner that it has begun.
package struct PageControl: ~Copyable {
  let file: FileDescriptor

  package init(path: String) throws(JobPageError) {
    file = try JobPageError.wrapping { () throws(SystemError) in
      try File.open(path, [.read, .write, .noFollow, .nonblocking])
    }
  }

  /// Writes whether the job is paused; the supervisor that is to see to it looks when it is signalled.
  package borrowing func write(_ pause: PagePause) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      let keepsSlot: UInt32 = pause.keepsSlot ? 1 : 0
      let details = pause.since.littleEndianBytes + keepsSlot.littleEndianBytes
      // The mark says that the rest is of the same pause.
      try file.write(details, at: UInt64(PageLayout.pausedSince))
      try file.write(pause.before.littleEndianBytes, at: UInt64(PageLayout.pausedBefore))
      try file.write(pause.mark.littleEndianBytes, at: UInt64(PageLayout.pauseMark))
    }
  }

  /// Writes whether the attempt has a supervisor that starts its worker.
  ///
  /// In memory this outlives a disk that loses what was written to the run record.
  package borrowing func write(hasBegun: Bool) throws(JobPageError) {
    try JobPageError.wrapping { () throws(SystemError) in
      try file.write(
        UInt32(hasBegun ? 1 : 0).littleEndianBytes, at: UInt64(PageLayout.begun))
    }
  }

  /// Writes reason and deadline, then the stop word, and wakes the worker that waits for it.
  ///
  /// May be repeated with another deadline (on `AwakeClock`), which is when the worker will be
  /// killed. It writes with pwrite(2); a page that the worker cut short is no problem of the
  /// caller's, only of the worker's.
  package borrowing func stop(reason: UInt32, deadline: UInt64) throws(JobPageError) {
    do throws(SystemError) {
      // Reason and deadline lie side by side and go first: who sees the word sees them.
      let details = reason.littleEndianBytes + deadline.littleEndianBytes
      try file.write(details, at: UInt64(PageLayout.stopReason))
      try file.write(UInt32(1).littleEndianBytes, at: UInt64(PageLayout.control))
      let mapping = try SharedMapping(file, size: PageLayout.size)
      try Futex.wake(mapping, offset: PageLayout.control)
    } catch  where error.number == SystemError.badAddress {
      return  // cut short in between: nobody can wait there
    } catch {
      throw .system(error)
    }
  }
}
