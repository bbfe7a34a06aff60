/// A child process with a deadline.
package enum Subprocess {
  /// How it ended and what it wrote.
  package struct Result: Hashable, Sendable {
    package var status: ChildEnd.Status
    /// Standard output, cut at the limit.
    package var output: [UInt8]
    /// The deadline passed: the child and its group were killed.
    package var timedOut: Bool
  }

  /// Runs a program to its end, killing its whole session at the deadline.
  ///
  /// Standard input and error are `/dev/null`. The calling thread waits; the deadline is on `AwakeClock`.
  package static func run(
    _ arguments: [String], environment: [[UInt8]]? = nil, deadline: UInt64,
    outputLimit: Int = 1 << 20
  ) throws(SystemError) -> Result {
    var pipe = try Pipe()
    let reading = pipe.takeReading()
    let pid = try start(arguments, environment, pipe.takeWriting())
    var output: [UInt8] = []
    let finished: Bool
    do throws(SystemError) {
      finished = try collect(
        reading, ProcessDescriptor(pid), into: &output, limit: outputLimit, deadline: deadline)
    } catch {
      ChildProcess.discard(pid)
      throw error
    }
    if !finished { ProcessGroup.kill(pid) }
    let end = try ChildProcess.wait(pid)
    return Result(
      status: end.status, output: Array(output.prefix(outputLimit)), timedOut: !finished)
  }

  private static func start(
    _ arguments: [String], _ environment: [[UInt8]]?, _ writing: consuming FileDescriptor
  ) throws(SystemError) -> Int32 {
    let nothing = try File.open("/dev/null", [.read, .write])
    var spawn = Spawn(arguments, environment: environment)
    spawn.startsSession = true
    spawn.descriptors = [
      .init(nothing.number, as: 0), .init(writing.number, as: 1), .init(nothing.number, as: 2),
    ]
    return try spawn.start()
  }

  /// Reads until the process has exited and its output is drained; false at the deadline.
  private static func collect(
    _ reading: borrowing FileDescriptor, _ process: borrowing ProcessDescriptor,
    into output: inout [UInt8], limit: Int, deadline: UInt64
  ) throws(SystemError) -> Bool {
    try reading.setNonblocking(true)
    var open = true
    while true {
      var wanted = [(number: process.number, interest: Interest.readable)]
      if open { wanted.append((reading.number, .readable)) }
      let ready = try Poll.wait(wanted, until: deadline)
      if ready.isEmpty { return false }
      if open { open = try drain(reading, into: &output, limit: limit) }
      // A grandchild may hold the pipe open for ever: the end of the process itself counts.
      if ready.contains(where: { $0.token == 0 }) { return true }
    }
  }

  /// Reads the available data; false at the end of the output.
  private static func drain(
    _ reading: borrowing FileDescriptor, into output: inout [UInt8], limit: Int
  ) throws(SystemError) -> Bool {
    while true {
      switch try reading.read(into: &output) {
      case .wouldBlock: return true
      case .end: return false
      case .bytes: if output.count > limit { output.removeLast(output.count - limit) }
      }
    }
  }
}

/// A process group, which a session leader leads too.
package enum ProcessGroup {
  /// Kills every process of the group whose leader has this pid; never this process's own.
  package static func kill(_ leader: Int32) {
    signal(leader, Signal.kill)
  }

  /// Signals every process of the group whose leader has this pid; never this process's own.
  package static func signal(_ leader: Int32, _ number: Int32) {
    guard leader > 1, leader != CurrentProcess.groupIdentifier else { return }
    CurrentProcess.sendSignal(number, to: -leader)
  }
}
