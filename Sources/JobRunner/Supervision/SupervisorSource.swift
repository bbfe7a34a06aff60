import JobCore
import LinuxSystem

/// Where supervisors come from: copies of one that stands ready; executed afresh where that fails.
///
/// A copy takes half a millisecond, in which the runner goes on with other work: one is asked for at a
/// time, and `settle` tells what came of it.
final class SupervisorSource {
  /// What a supervisor is to have.
  struct Request: ~Copyable {
    let order: FileDescriptor
    /// On which it announces that the worker runs.
    let announcement: FileDescriptor
    /// What the worker is to read, where that is passed on.
    var input: PassedInput?
  }

  /// `jobrun-shim`.
  private let program: String
  private let loop: Reactor
  private var server: ForkServer?
  /// Nothing is to be had from such a process here.
  private var isServerless = false
  /// What was asked of the server and not answered yet, and until when that is waited for.
  private var asked: Request?
  private var deadline: UInt64 = 0
  /// Called as soon as `settle` has something to tell.
  var onAnswer: (() -> Void)?

  /// How long the runner waits for a copy: 5 s.
  private static let timeout: UInt64 = 5_000_000_000
  /// After which it waits for nothing else: 20 ms, some forty times what a copy takes.
  private static let exclusiveWait: UInt64 = 20_000_000

  init(program: String, loop: Reactor) {
    self.program = program
    self.loop = loop
  }

  /// Starts one with its order; its pid, or nil where `settle` will tell that.
  ///
  /// Nothing may be asked for that is not settled.
  ///
  /// - Throws: `SystemError` when there is none; `SupervisionError.uncertain` when there may be.
  func start(_ request: consuming Request) throws -> Int32? {
    if !isServerless, server == nil { begin() }
    guard server != nil else {
      return try execute(
        order: request.order, announcing: request.announcement, reading: request.input)
    }
    deadline = AwakeClock.now() + Self.timeout
    do throws(ForkServer.Failure) {
      try server?.ask(
        passing: request.order.number, request.announcement.number,
        request.input?.descriptor.number, until: deadline)
    } catch {
      throw lost(error)
    }
    asked = consume request
    return nil
  }

  /// The pid of the one that was asked for; it is waited for where it has not come.
  ///
  /// - Throws: as `start` does.
  func settle() throws -> Int32 {
    guard let request = asked.take() else { throw SystemError("copy", SystemError.noProcess) }
    do throws(ForkServer.Failure) {
      guard let pid = try server?.answer(until: deadline) else {
        throw .lost(SystemError("copy", SystemError.noProcess))
      }
      return pid
    } catch {
      guard case .refused(let problem) = error else { throw lost(error) }
      if problem.isTransient { throw problem }
      // A kernel, or a filter of its calls, that allows no such copy: then none ever.
      leaveServer()
      return try execute(
        order: request.order, announcing: request.announcement, reading: request.input)
    }
  }

  /// When `settle` is to be called at the latest; nil where nothing is to be settled.
  var settleBy: Instant? {
    asked == nil ? nil : Instant(nanoseconds: deadline - Self.timeout + Self.exclusiveWait)
  }

  private func begin() {
    guard let new = try? ForkServer(program) else { return }
    do {
      try loop.watch(new.number) { [unowned self] _ in hear() }
      server = consume new
    } catch {
      new.end()
    }
  }

  private func hear() {
    // It says nothing unasked: it has ended.
    if asked == nil { leaveServer() } else { onAnswer?() }
  }

  private func lost(_ failure: ForkServer.Failure) -> any Error {
    leaveServer()
    switch failure {
    case .refused(let problem), .lost(let problem): return SupervisionError.uncertain("\(problem)")
    }
  }

  /// Does without from now on: whatever was wrong with this one may be wrong with the next.
  private func leaveServer() {
    isServerless = true
    guard let server = server.take() else { return }
    loop.remove(server.number)
    server.end()
  }

  /// Executes one afresh: it takes longer, and there is one or none.
  func execute(
    order: borrowing FileDescriptor, announcing pipe: borrowing FileDescriptor,
    reading input: PassedInput? = nil
  ) throws(SystemError) -> Int32 {
    let nothing = try File.open("/dev/null", [.read, .write])
    var spawn = Spawn([program], environment: [])
    spawn.startsSession = true
    spawn.descriptors = [
      Spawn.Descriptor(nothing.number, as: 0), Spawn.Descriptor(nothing.number, as: 1),
      Spawn.Descriptor(order.number, as: 3), Spawn.Descriptor(pipe.number, as: 4),
    ]
    if let input { spawn.descriptors.append(Spawn.Descriptor(input.descriptor.number, as: 5)) }
    return try spawn.start()
  }
}
