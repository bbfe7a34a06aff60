internal import CLinux

/// A process that cannot be confused with a later one of the same number (pidfd_open(2)).
package struct ProcessDescriptor: ~Copyable {
  /// The process's number, for showing and for `ChildProcess.reap`.
  package let pid: Int32
  private let descriptor: FileDescriptor

  /// Throws `noProcess` when no process has this number.
  package init(_ pid: Int32) throws(SystemError) {
    self.pid = pid
    descriptor = FileDescriptor(
      owning: try SystemError.check(clinux_pidfd_open(pid), "watch process", path: "\(pid)"))
  }

  /// As above, but throws `noProcess` when another process now has the number.
  package init(_ identity: ProcessIdentity) throws(SystemError) {
    let opened = FileDescriptor(
      owning: try SystemError.check(
        clinux_pidfd_open(identity.pid), "watch process", path: "\(identity.pid)"))
    // Checked after opening: the process that has the number now is the opened one, or the opened one has
    // ended.
    guard ProcessIdentity(pid: identity.pid) == identity else {
      throw SystemError("watch process", SystemError.noProcess, path: "\(identity.pid)")
    }
    pid = identity.pid
    descriptor = opened
  }

  /// For an event loop: readable once the process has exited, reaped or not.
  package var number: Int32 { descriptor.number }

  /// Whether it has exited; does not wait.
  package borrowing func hasExited() -> Bool {
    (try? Poll.wait(descriptor.number, until: 0)) ?? false
  }

  /// Sends a signal; false when the process is gone.
  @discardableResult
  package borrowing func signal(_ number: Int32) throws(SystemError) -> Bool {
    let result = clinux_pidfd_signal(descriptor.number, number)
    if result == -SystemError.noProcess { return false }
    try SystemError.check(result, "signal process", path: "\(pid)")
    return true
  }
}

/// A process by number and start time, which together no later process repeats within a boot.
package struct ProcessIdentity: Hashable, Sendable {
  package var pid: Int32
  /// Clock ticks after boot (field 22 of proc_pid_stat(5)).
  package var startTime: UInt64

  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }

  /// Looks the start time up; nil when no process has this number.
  package init?(pid: Int32) {
    guard let status = ProcessStatus(pid: pid) else { return nil }
    self.init(pid: pid, startTime: status.startTime)
  }

  /// Whether it still runs; a zombie has ended.
  package var isAlive: Bool {
    guard let status = ProcessStatus(pid: pid) else { return false }
    return status.startTime == startTime && !status.isZombie
  }
}
