internal import CLinux

/// How a child ended and what it used (wait4(2)).
package struct ChildEnd: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    /// It called exit with this code, 0…255.
    case exited(Int32)
    /// It was killed by this signal.
    case signalled(Int32)
  }

  package var pid: Int32
  package var status: Status
  /// User and system time of the child and of the children that it waited for.
  package var cpuMicroseconds: UInt64
  /// The largest resident size of the child or of one of the children that it waited for.
  package var residentBytes: UInt64
  /// The bytes that the child and the children that it waited for have read from disks and written to them.
  package var transferred: BytesTransferred
}

/// Bytes read from disks and written to them; page-cache hits are not counted.
package struct BytesTransferred: Hashable, Sendable {
  package var read: UInt64
  package var written: UInt64

  package init(read: UInt64 = 0, written: UInt64 = 0) {
    (self.read, self.written) = (read, written)
  }

  package static func + (left: BytesTransferred, right: BytesTransferred) -> BytesTransferred {
    BytesTransferred(read: left.read &+ right.read, written: left.written &+ right.written)
  }

  /// The larger of two counts of the same bytes, each of which may have missed some.
  package func most(_ other: BytesTransferred?) -> BytesTransferred {
    guard let other else { return self }
    return BytesTransferred(read: max(read, other.read), written: max(written, other.written))
  }
}

/// The result of reaping.
package enum Reaping: Hashable, Sendable {
  case ended(ChildEnd)
  /// There are children, and all of them still run.
  case stillRunning
  /// There is no such child.
  case noChild
}

/// Children of this process.
package enum ChildProcess {
  /// Waits for this child's end.
  package static func wait(_ pid: Int32) throws(SystemError) -> ChildEnd {
    guard case .ended(let end) = try reap(pid, block: true) else {
      throw SystemError("wait for process", SystemError.noProcess, path: "\(pid)")
    }
    return end
  }

  /// Reaps this child if it has ended.
  package static func reap(_ pid: Int32) throws(SystemError) -> Reaping {
    try reap(pid, block: false)
  }

  /// Reaps any child that has ended: for subreapers, which also get orphans.
  package static func reapAny() throws(SystemError) -> Reaping {
    try reap(-1, block: false)
  }

  /// Children that were stopped since the last call.
  package static func takeStopped() -> [Int32] {
    var stopped: [Int32] = []
    while case let pid = clinux_stopped_child(), pid > 0 { stopped.append(pid) }
    return stopped
  }

  /// Ends and reaps a child that has just been started and cannot be watched.
  ///
  /// Its process group is ended with it, and all its descendants that have this entry `NAME=VALUE` in their
  /// environment.
  package static func discard(_ pid: Int32, environmentEntry: [UInt8]? = nil) {
    CurrentProcess.sendSignal(Signal.kill, to: pid)
    ProcessGroup.kill(pid)
    _ = try? wait(pid)  // a child of ours that was just killed
    guard let environmentEntry else { return }
    ProcessTree(root: nil, includesRoot: false, environmentEntry: environmentEntry).kill()
  }

  private static func reap(_ pid: Int32, block: Bool) throws(SystemError) -> Reaping {
    var end = clinux_exit()
    let result = unsafe clinux_wait(pid, block ? 1 : 0, &end)
    if result == -10 { return .noChild }  // ECHILD
    if try SystemError.check(result, "wait for process") == 0 { return .stillRunning }
    return .ended(
      ChildEnd(
        pid: end.pid, status: end.exited == 1 ? .exited(end.code) : .signalled(end.code),
        cpuMicroseconds: UInt64(max(0, end.cpu_microseconds)),
        residentBytes: UInt64(max(0, end.resident_bytes)),
        transferred: BytesTransferred(
          read: UInt64(max(0, end.read_bytes)), written: UInt64(max(0, end.written_bytes)))))
  }
}
