internal import JobCore
package import JobWire
internal import LinuxSystem

/// One question to `jobrun-helper`, asked in a child process and given up at a deadline.
///
/// The answer fits a pipe's buffer, so the child can write all of it and end without being read
/// meanwhile; its end is what the asker waits for.
package final class HelperCall {
  /// More than any answer; a child that writes more is stopped by the full pipe until its deadline.
  private static let outputLimit = 1 << 16

  /// On `AwakeClock`, in nanoseconds: when to call `finish` at the latest.
  package let deadline: UInt64
  private let patience: Span
  private let state: State

  private enum State {
    /// There is nothing to wait for.
    case answered(GPUAnswer)
    case asked(Question)
  }

  /// The child and the reading end of its standard output.
  private final class Question {
    let process: ProcessDescriptor
    private let output: FileDescriptor
    /// Known once it is reaped.
    private(set) var status: ChildEnd.Status?
    private var isReaped = false

    init(process: consuming ProcessDescriptor, output: consuming FileDescriptor) {
      self.process = process
      self.output = output
    }

    /// Reaps the child if it has ended; whether it is gone.
    func reap() -> Bool {
      if isReaped { return true }
      // A failing wait can only mean that there is no such child any more.
      switch (try? ChildProcess.reap(process.pid)) ?? .noChild {
      case .stillRunning: return false
      case .noChild: isReaped = true
      case .ended(let end):
        status = end.status
        isReaped = true
      }
      return true
    }

    /// What the child wrote, without waiting: something of the driver may hold the pipe open.
    func readOutput(limit: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      while bytes.count < limit, let reading = try? output.read(into: &bytes),
        case .bytes = reading
      {}
      return bytes
    }
  }

  /// A call that is answered without a child.
  init(answer: GPUAnswer) {
    deadline = AwakeClock.now()
    patience = .zero
    state = .answered(answer)
  }

  /// Starts the child.
  init(_ helper: String, verb: String, environment: [[UInt8]], patience: Span) {
    let (sum, overflow) = AwakeClock.now().addingReportingOverflow(patience.nanoseconds)
    deadline = overflow ? .max : sum
    self.patience = patience
    do throws(SystemError) {
      state = .asked(try Self.ask(helper, verb, environment))
    } catch {
      state = .answered(GPUAnswer(why: "the GPUs could not be looked for: \(error)"))
    }
  }

  private static func ask(
    _ helper: String, _ verb: String, _ environment: [[UInt8]]
  ) throws(SystemError) -> Question {
    var pipe = try Pipe()
    let output = pipe.takeReading()
    let writing = pipe.takeWriting()
    try output.setNonblocking(true)
    let nothing = try File.open("/dev/null", [.read, .write])
    var spawn = Spawn([helper, verb], environment: environment)
    spawn.startsSession = true
    spawn.deathSignal = Signal.kill
    spawn.descriptors = [
      .init(nothing.number, as: 0), .init(writing.number, as: 1), .init(nothing.number, as: 2),
    ]
    return Question(process: try ProcessDescriptor(spawn.start()), output: output)
  }

  /// For an event loop: readable when the child has ended; nil when there is nothing to wait for.
  ///
  /// It is closed with this value, so stop watching it first.
  package var descriptor: Int32? {
    guard case .asked(let question) = state else { return nil }
    return question.process.number
  }

  /// The answer; a child that has not ended is killed, and that is the answer.
  package func finish() -> GPUAnswer {
    switch state {
    case .answered(let answer):
      return answer
    case .asked(let question):
      if question.process.hasExited() { return Self.answer(question) }
      // A refused signal leaves the child as stuck as it is.
      _ = try? question.process.signal(Signal.kill)
      return GPUAnswer(
        why: "the NVIDIA driver did not answer within \(DurationText.format(patience))")
    }
  }

  /// Whether the child is gone; does not wait.
  func hasEnded() -> Bool {
    guard case .asked(let question) = state else { return true }
    return question.reap()
  }

  private static func answer(_ question: Question) -> GPUAnswer {
    _ = question.reap()
    if let answer = GPUAnswer(output: question.readOutput(limit: outputLimit)) { return answer }
    return switch question.status {
    case .signalled(let number):
      GPUAnswer(why: "looking for NVIDIA GPUs ended with \(Signal.name(number)) in the driver")
    case .exited(let code):
      GPUAnswer(why: "jobrun-helper ended without an answer (exit code \(code))")
    case nil:
      GPUAnswer(why: "jobrun-helper ended without an answer")
    }
  }
}
