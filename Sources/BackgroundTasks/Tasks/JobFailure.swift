/// Thrown by an `async` handler to fail with its own message and, optionally, its own exit code.
public struct JobFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error and the remedy, in one sentence for people.
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
