/// Thrown by an `async` handler to fail with a sentence of its own and, where that matters, with an
/// exit code of its own.
public struct JobFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong and what to do, in one sentence that a person reads.
  public var message: String
  /// The worker's exit code, 1…255; `jobrun` passes codes below 64 on.
  public var exitCode: Int32

  /// A failure with this message.
  public init(_ message: String, exitCode: Int32 = 1) {
    self.message = message
    self.exitCode = exitCode
  }

  /// The message.
  public var description: String { message }
}
