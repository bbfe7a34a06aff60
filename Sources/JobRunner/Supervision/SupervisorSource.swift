import JobCore
import LinuxSystem

/// Starts supervisors: forked from a running template, or executed anew if that fails.
///
/// A fork takes half a millisecond, during which the runner does other work: only one request is open at a
/// time, and `settle` returns its result.
final class SupervisorSource {
  /// The descriptors for a supervisor.
  struct Request: ~Copyable {
    let order: FileDescriptor
    /// On which it announces that the worker runs.
    let announcement: FileDescriptor
    /// The worker's input, if it is passed on.
    var input: PassedInput?
  }

  /// `jobrun-shim`.
  private let program: String
  private let loop: Reactor
  private var server: ForkServer?
  /// Whether a template process cannot be used here.
  private var isServerless = false
  /// The open request to the server, and its deadline.
  private var asked: Request?
  private var deadline: UInt64 = 0
  /// Called as soon as `settle` has something to tell.
  var onAnswer: (() -> Void)?

  /// How long the runner waits for a copy: 5 s.
  private static let timeout: UInt64 = 5_000_000_000
  /// When the runner waits only for it: after 20 ms, some forty times the usual time.
  private static let exclusiveWait: UInt64 = 20_000_000

  init(program: String, loop: Reactor) {
    self.program = program
    self.loop = loop
  }

  /// Starts a supervisor with its order; its pid, or nil if `settle` will return that.
  ///
  /// There must be no open request.
  ///
  /// - Throws: `SystemError` when none was started; `SupervisionError.uncertain` when one may have been.
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

  /// The pid of the requested supervisor; waits if it is not known yet.
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
      // The kernel, or a system call filter, does not allow such forks, and never will.
      leaveServer()
      return try execute(
        order: request.order, announcing: request.announcement, reading: request.input)
    }
  }

  /// The latest time to call `settle`; nil without an open request.
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
    // It sends only answers: it has ended.
    if asked == nil { leaveServer() } else { onAnswer?() }
  }

  private func lost(_ failure: ForkServer.Failure) -> any Error {
    leaveServer()
    switch failure {
    case .refused(let problem), .lost(let problem): return SupervisionError.uncertain("\(problem)")
    }
  }

  /// Executes supervisors from now on: the server's problem may recur.
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
