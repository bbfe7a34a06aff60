internal import JobCore
package import JobWire
package import LinuxSystem

/// One question for GPUs to `jobrun-helper`, asked in a child process and given up at a deadline.
package final class HelperCall {
  /// On `AwakeClock`, in nanoseconds: when to call `finish` at the latest.
  package let deadline: UInt64
  private let timeout: Interval
  private let state: State

  private enum State {
    /// The answer is already known.
    case answered(GPUAnswer)
    /// The helper could not be started for lack of a resource, which may be temporary.
    case prevented(SystemError)
    case asked(HelperChild)
  }

  /// A call that is answered without a child.
  init(answer: GPUAnswer) {
    deadline = AwakeClock.now()
    timeout = .zero
    state = .answered(answer)
  }

  /// Starts the child.
  init(_ helper: String, verb: String, environment: [[UInt8]], timeout: Interval) {
    deadline = (Instant(nanoseconds: AwakeClock.now()) + timeout).nanoseconds
    self.timeout = timeout
    do throws(SystemError) {
      state = .asked(try HelperChild(helper, verb: verb, environment: environment))
    } catch {
      state = error.isShortage ? .prevented(error) : .answered(Self.unasked(error))
    }
  }

  private static func unasked(_ error: SystemError) -> GPUAnswer {
    GPUAnswer(missing: "the GPUs could not be detected: \(error)")
  }

  /// The missing resource: then the answer says nothing about GPUs.
  package var shortage: SystemError? {
    guard case .prevented(let error) = state else { return nil }
    return error
  }

  /// For an event loop: readable when the child has ended; nil if the answer is already known.
  ///
  /// It is closed with this value, so stop watching it first.
  package var descriptor: Int32? {
    guard case .asked(let child) = state else { return nil }
    return child.number
  }

  /// The answer; a child that is still running is killed, and that is the answer.
  package func finish() -> GPUAnswer {
    switch state {
    case .answered(let answer):
      return answer
    case .prevented(let error):
      return Self.unasked(error)
    case .asked(let child):
      if child.hasExited { return Self.answer(child) }
      child.kill()
      return GPUAnswer(
        missing: "the NVIDIA driver did not answer within \(DurationText.format(timeout))")
    }
  }

  /// Whether the child is gone; does not wait.
  func hasEnded() -> Bool {
    guard case .asked(let child) = state else { return true }
    return child.reap()
  }

  private static func answer(_ child: HelperChild) -> GPUAnswer {
    _ = child.reap()
    if let answer = GPUAnswer(output: child.readOutput()) { return answer }
    return switch child.status {
    case .signalled(let number):
      GPUAnswer(missing: "looking for NVIDIA GPUs ended with \(Signal.name(number)) in the driver")
    case .exited(let code):
      GPUAnswer(missing: "jobrun-helper ended without an answer (exit code \(code))")
    case nil:
      GPUAnswer(missing: "jobrun-helper ended without an answer")
    }
  }
}
