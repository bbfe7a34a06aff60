internal import LinuxSystem

/// A running command of a batch system, which may hang for as long as its controller does.
final class QueueCommand {
  private let process: ProcessDescriptor
  private var output: FileDescriptor?
  private var errors: FileDescriptor?
  private var answer = QueueAnswer()
  private let startedAt: UInt64
  /// When to kill it, on `AwakeClock`.
  let deadline: UInt64
  let done: (QueueAnswer) -> Void

  private static let timeout: UInt64 = 60_000_000_000
  /// 100,000 rows of a queue.
  private static let outputLimit = 32 << 20

  init(
    _ call: QueueCall, environment: [[UInt8]], done: @escaping (QueueAnswer) -> Void
  ) throws(SystemError) {
    var words = try Pipe()
    let reading = words.takeReading()
    try words.takeWriting().writeAll(call.input)
    var answers = try Pipe()
    let output = answers.takeReading()
    let telling = answers.takeWriting()
    var complaints = try Pipe()
    let errors = complaints.takeReading()
    let complaining = complaints.takeWriting()
    try output.setNonblocking(true)
    try errors.setNonblocking(true)
    var spawn = Spawn(call.arguments, environment: environment)
    // In a session of its own, so that it finishes even when the helper is gone.
    spawn.startsSession = true
    spawn.directory = Array("/".utf8)
    spawn.descriptors = [
      .init(reading.number, as: 0), .init(telling.number, as: 1), .init(complaining.number, as: 2),
    ]
    process = try spawn.startWatched()
    self.output = consume output
    self.errors = consume errors
    self.done = done
    startedAt = AwakeClock.now()
    deadline = startedAt + Self.timeout
  }

  /// Watches the command.
  func watch(with loop: borrowing EventLoop, token: UInt64) throws(SystemError) {
    try loop.add(process.number, .readable, token: token)
    if let number = output?.number { try loop.add(number, .readable, token: token) }
    if let number = errors?.number { try loop.add(number, .readable, token: token) }
  }

  func ignore(with loop: borrowing EventLoop) {
    loop.remove(process.number)
    if let number = output?.number { loop.remove(number) }
    if let number = errors?.number { loop.remove(number) }
  }

  /// Takes the available output; returns the answer once the command has ended.
  func collect(_ loop: borrowing EventLoop) -> QueueAnswer? {
    if Self.drain(&output, into: &answer.output, loop) { answer.output = [] }
    _ = Self.drain(&errors, into: &answer.errors, loop)
    guard case .ended(let end)? = try? ChildProcess.reap(process.pid) else { return nil }
    _ = Self.drain(&output, into: &answer.output, loop)
    _ = Self.drain(&errors, into: &answer.errors, loop)
    if case .exited(let code) = end.status { answer.code = code }
    answer.took = AwakeClock.now() - startedAt
    return answer
  }

  /// The deadline has passed.
  func kill() -> QueueAnswer {
    ChildProcess.discard(process.pid)
    answer.code = nil
    answer.took = AwakeClock.now() - startedAt
    return answer
  }

  /// Whether it wrote more than the limit.
  private static func drain(
    _ file: inout FileDescriptor?, into bytes: inout [UInt8], _ loop: borrowing EventLoop
  ) -> Bool {
    while file != nil {
      switch try? file?.read(into: &bytes) {
      case .bytes?: if bytes.count > outputLimit { return true }
      case .end?:
        if let ended = file.take() { loop.remove(ended.number) }
      case .wouldBlock?, nil: return false
      }
    }
    return false
  }
}
