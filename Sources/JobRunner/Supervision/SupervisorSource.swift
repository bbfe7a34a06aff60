import LinuxSystem

/// Where supervisors come from: copies of one that stands ready; executed afresh where that fails.
final class SupervisorSource {
  /// `jobrun-shim`.
  private let program: String
  private var server: ForkServer?
  /// Nothing is to be had from such a process here.
  private var isServerless = false

  /// How long the runner waits for a copy, which takes a fifth of a millisecond: 5 s.
  private static let timeout: UInt64 = 5_000_000_000

  init(program: String) {
    self.program = program
  }

  /// Starts one with its order and the pipe on which it announces that the worker runs; its pid.
  ///
  /// `input` is what the worker is to read, where that is passed on.
  ///
  /// - Throws: `SystemError` when there is none; `SupervisionError.uncertain` when there may be.
  func start(
    order: borrowing FileDescriptor, announcing pipe: borrowing FileDescriptor,
    reading input: Int32? = nil
  ) throws -> Int32 {
    if !isServerless, server == nil { server = try? ForkServer(program) }
    guard server != nil else { return try execute(order: order, announcing: pipe, reading: input) }
    do throws(ForkServer.Failure) {
      return try copy(order: order, announcing: pipe, reading: input)
    } catch {
      switch error {
      case .refused(let problem) where problem.isTransient: throw problem
      case .refused:
        // A kernel, or a filter of its calls, that allows no such copy: then none ever.
        leaveServer()
        return try execute(order: order, announcing: pipe, reading: input)
      case .lost(let problem):
        leaveServer()
        throw SupervisionError.uncertain("\(problem)")
      }
    }
  }

  private func copy(
    order: borrowing FileDescriptor, announcing pipe: borrowing FileDescriptor,
    reading input: Int32? = nil
  ) throws(ForkServer.Failure) -> Int32 {
    let deadline = AwakeClock.now() + Self.timeout
    guard let pid = try server?.copy(passing: order.number, pipe.number, input, until: deadline)
    else {
      throw .lost(SystemError("copy", SystemError.noProcess))
    }
    return pid
  }

  /// Does without from now on: whatever was wrong with this one may be wrong with the next.
  private func leaveServer() {
    isServerless = true
    server.take()?.end()
  }

  /// Executes one afresh: it takes longer, and there is one or none.
  func execute(
    order: borrowing FileDescriptor, announcing pipe: borrowing FileDescriptor,
    reading input: Int32? = nil
  ) throws(SystemError) -> Int32 {
    let nothing = try File.open("/dev/null", [.read, .write])
    var spawn = Spawn([program], environment: [])
    spawn.startsSession = true
    spawn.descriptors = [
      Spawn.Descriptor(nothing.number, as: 0), Spawn.Descriptor(nothing.number, as: 1),
      Spawn.Descriptor(order.number, as: 3), Spawn.Descriptor(pipe.number, as: 4),
    ]
    if let input { spawn.descriptors.append(Spawn.Descriptor(input, as: 5)) }
    return try spawn.start()
  }
}
