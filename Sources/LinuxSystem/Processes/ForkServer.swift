internal import CLinux

/// A process that forks a copy of itself on request (fork(2)).
///
/// A copy starts where two thirds of the work of executing its program afresh are done: it needs neither a
/// new address space nor a runtime that gets ready. It is a child of the requesting process, as if that had
/// started it (CLONE_PARENT of clone(2)), and leads a session of its own.
package struct ForkServer: ~Copyable {
  /// Why no copy was made.
  package enum Failure: Error, Hashable, Sendable {
    /// No copy was made and the server still works: the kernel has no space for a process.
    case refused(SystemError)
    /// The server does not answer. A copy may have been made and may go on; one that is made later exits,
    /// as it cannot report itself after `end`.
    case lost(SystemError)
  }

  private let connection: UnixConnection
  /// The serving process, a child of this one.
  private let pid: Int32

  /// After 20 ms, a hundred times what a copy takes, the server is checked.
  private static let defaultWait: UInt64 = 20_000_000
  /// How long to wait for its end: 1 s.
  private static let lastWait: UInt64 = 1_000_000_000

  /// Starts `program`, which must call `ForkService.serve` with its descriptor 3.
  package init(_ program: String) throws(SystemError) {
    var ends: (Int32, Int32) = (-1, -1)
    try SystemError.check(unsafe clinux_socket_pair(&ends.0, &ends.1), "make a pair of sockets")
    let own = FileDescriptor(owning: ends.0)
    let other = FileDescriptor(owning: ends.1)
    let nothing = try File.open("/dev/null", [.read, .write])
    var spawn = Spawn([program], environment: [])
    spawn.startsSession = true
    spawn.descriptors = [
      .init(nothing.number, as: 0), .init(nothing.number, as: 1), .init(other.number, as: 3),
    ]
    pid = try spawn.start()
    connection = UnixConnection(owning: own)
  }

  /// Readable once there is an answer, or once none will come.
  package var number: Int32 { connection.number }

  /// Asks for a copy that gets duplicates of two or three descriptors; call `answer` before the next
  /// request.
  ///
  /// `deadline` is on `AwakeClock`.
  package borrowing func ask(
    passing first: Int32, _ second: Int32, _ third: Int32? = nil, until deadline: UInt64
  ) throws(Failure) {
    do throws(SystemError) {
      try connection.sendAll(
        [third == nil ? 0 : ForkService.hasThird], passing: first, and: second, until: deadline)
      if let third { try connection.sendAll([0], passing: third, until: deadline) }
    } catch {
      throw .lost(error)
    }
  }

  /// The pid of the requested copy, to be reaped by `ChildProcess`; waits for it until `deadline`
  /// (`AwakeClock`).
  package borrowing func answer(until deadline: UInt64) throws(Failure) -> Int32 {
    let answer: Int32
    do throws(SystemError) {
      answer = try read(until: deadline)
    } catch {
      throw .lost(error)
    }
    guard answer < 0 else { return answer }
    throw .refused(SystemError("copy", -answer, path: "a waiting process"))
  }

  private borrowing func read(until deadline: UInt64) throws(SystemError) -> Int32 {
    var bytes: [UInt8] = []
    while bytes.count < 4 {
      let pause = min(deadline, AwakeClock.now() + Self.defaultWait)
      guard try Poll.wait(connection.number, until: pause) else {
        // A stopped server cannot answer, however long the wait.
        guard AwakeClock.now() < deadline, ProcessStatus(pid: pid)?.isStopped == false else {
          throw SystemError("learn of a child", SystemError.wouldBlock)
        }
        continue
      }
      if try connection.receive(into: &bytes, maximum: 4).reading == .end {
        throw SystemError("learn of a child", SystemError.noProcess)
      }
    }
    return Int32(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Ends the server, so that it makes no more copies; existing copies go on.
  package consuming func end() {
    CurrentProcess.sendSignal(Signal.kill, to: pid)
    // Only for a limited time: a server that a debugger holds cannot be reaped before the debugger lets go.
    if let process = try? ProcessDescriptor(pid) {
      _ = try? Poll.wait(process.number, until: AwakeClock.now() + Self.lastWait)
    }
    _ = try? ChildProcess.reap(pid)
  }
}
