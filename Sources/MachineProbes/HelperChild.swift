internal import JobCore
package import LinuxSystem

/// One run of `jobrun-helper`: its process and the reading end of its standard output.
///
/// The answer fits a pipe's buffer, so the child can write all of it and end before it is read; callers wait
/// for its end. It is killed with the runner.
package final class HelperChild {
  /// More than any answer; a child that writes more is stopped by the full pipe until its deadline.
  private static let outputLimit = 1 << 16

  package let process: ProcessDescriptor
  private let output: FileDescriptor
  /// Known once it is reaped.
  package private(set) var status: ChildEnd.Status?
  private var isReaped = false

  /// Starts the helper; `input` is its standard input, from a file, and nil = none.
  package convenience init(
    _ helper: String, verb: String, environment: [[UInt8]], input: [UInt8]? = nil
  ) throws(SystemError) {
    try self.init([helper, verb], environment: environment, input: input)
  }

  /// Starts any program, which may be looked for on the path.
  package init(
    _ command: [String], environment: [[UInt8]], input: [UInt8]? = nil
  ) throws(SystemError) {
    var pipe = try Pipe()
    let output = pipe.takeReading()
    let writing = pipe.takeWriting()
    try output.setNonblocking(true)
    let nothing = try File.open("/dev/null", [.read, .write])
    let source = try input.map { (bytes) throws(SystemError) in try Source(bytes) }
    var spawn = Spawn(command.map { Array($0.utf8) }, environment: environment)
    spawn.startsSession = true
    spawn.deathSignal = Signal.kill
    spawn.descriptors = [
      .init(source?.number ?? nothing.number, as: 0), .init(writing.number, as: 1),
      .init(nothing.number, as: 2),
    ]
    process = try spawn.startWatched()
    self.output = output
    withExtendedLifetime(source) {}
  }

  /// A file in memory, until it is passed on.
  private final class Source {
    private let file: FileDescriptor

    init(_ bytes: [UInt8]) throws(SystemError) { file = try MemoryFile.make(bytes) }

    package var number: Int32 { file.number }
  }

  /// For an event loop: readable when the child has ended.
  package var number: Int32 { process.number }

  /// For an event loop: readable when it has said something.
  package var outputNumber: Int32 { output.number }

  /// Whether it has ended, reaped or not; does not wait.
  package var hasExited: Bool { isReaped || process.hasExited() }

  /// Reaps the child if it has ended; whether it is gone.
  package func reap() -> Bool {
    if isReaped { return true }
    // A failing wait can only mean that the child no longer exists.
    switch (try? ChildProcess.reap(process.pid)) ?? .noChild {
    case .stillRunning: return false
    case .noChild: isReaped = true
    case .ended(let end):
      status = end.status
      isReaped = true
    }
    return true
  }

  /// If the signal fails, the child stays stuck.
  package func kill() {
    _ = try? process.signal(Signal.kill)
  }

  /// Kills and reaps the child without a watch.
  package func discard() {
    ChildProcess.discard(process.pid)
    isReaped = true
  }

  /// The child's output, without waiting: part of the driver may hold the pipe open.
  package func readOutput() -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < Self.outputLimit, let reading = try? output.read(into: &bytes),
      case .bytes = reading
    {}
    return bytes
  }
}
