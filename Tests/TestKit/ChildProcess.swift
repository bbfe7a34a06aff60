import Glibc

/// A real process started by a test; ended (SIGKILL) and reaped with its owner if still alive.
package final class ChildProcess {
  /// How a process ended.
  package enum Ending: Hashable, Sendable {
    /// By itself, with this status (0…255).
    case exited(Int32)
    /// By a signal of this number.
    case signalled(Int32)
  }

  /// A process that has ended, with its whole output.
  package struct Finished: Hashable, Sendable {
    package var ending: Ending
    /// Standard output as text; invalid bytes are replaced.
    package var output: String
    /// Standard error as text; invalid bytes are replaced.
    package var errors: String

    /// The exit status; nil when a signal ended it.
    package var status: Int32? {
      guard case .exited(let status) = ending else { return nil }
      return status
    }
  }

  /// One of the two collected streams.
  package enum Stream: Sendable {
    case output
    case errors
  }

  package let pid: Int32
  /// The name shown when a wait fails.
  private let title: String
  private let handle: OwnedDescriptor
  private var output: CollectedStream
  private var errors: CollectedStream
  private var ending: Ending?

  /// Starts `executable`: a path, or a name to look up on this process's PATH.
  ///
  /// `arguments` come without the program's name; `environment` is complete, nothing is inherited; it runs
  /// in `directory` (nil = the test's folder); `input` is the text of its standard input, at most 64 KiB
  /// (nil = /dev/null).
  package convenience init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String],
    directory: String? = nil, input: String? = nil
  ) throws(SystemCallFailure) {
    let (outputReader, outputWriter) = try pipePair()
    let (errorsReader, errorsWriter) = try pipePair()
    outputReader.setNonBlocking()
    errorsReader.setNonBlocking()
    var source: OwnedDescriptor?
    if let input { source = try pipeHolding(input) }
    let spawn = Spawn(
      executable: executable, arguments: arguments, environment: environment,
      directory: directory, input: source?.number, output: outputWriter.number,
      errors: errorsWriter.number)
    try self.init(spawn, output: outputReader, errors: errorsReader)
    withExtendedLifetime((source, outputWriter, errorsWriter)) {}
  }

  init(
    _ spawn: Spawn, output: OwnedDescriptor?, errors: OwnedDescriptor?
  ) throws(SystemCallFailure) {
    title = ([spawn.executable] + spawn.arguments).joined(separator: " ")
    self.output = CollectedStream(output)
    self.errors = CollectedStream(errors)
    pid = try spawn.start()
    guard let handle = OwnedDescriptor.process(pid) else {
      throw SystemCallFailure("pidfd_open \(pid)")
    }
    self.handle = handle
  }

  /// Waits until the process has ended and returns its output.
  ///
  /// A grandchild that still holds the streams does not prolong the wait.
  ///
  /// - Throws: `Overdue` with the output so far; the process is left running.
  package func wait(within limit: Duration = Deadline.timeout) throws -> Finished {
    let deadline = Deadline(within: limit)
    while ending == nil {
      guard try deadline.anyReadable(of: [handle.number] + openStreams) else {
        throw overdue("the end of `\(title)`", limit)
      }
      collect()
      reapIfEnded()
    }
    collect()
    return Finished(ending: ending ?? .exited(-1), output: output.text, errors: errors.text)
  }

  /// Waits until `text` is in the output of `stream`; returns all of it so far.
  ///
  /// - Throws: `Overdue` at the deadline, or at once when the stream has ended without it.
  @discardableResult
  package func wait(
    for text: String, on stream: Stream = .output, within limit: Duration = Deadline.timeout
  ) throws -> String {
    let deadline = Deadline(within: limit)
    while true {
      collect()
      let watched = stream == .output ? output : errors
      if watched.text.contains(text) { return watched.text }
      guard let descriptor = watched.openNumber, try deadline.anyReadable(of: [descriptor]) else {
        throw overdue("\"\(text)\" from `\(title)`", limit)
      }
    }
  }

  /// Whether the process still runs.
  package var isRunning: Bool {
    reapIfEnded()
    return ending == nil
  }

  /// Sends a signal to this process only; has no effect after its end.
  package func signal(_ number: Int32) {
    if isRunning { kill(pid, number) }
  }

  private var openStreams: [Int32] {
    [output.openNumber, errors.openNumber].compactMap(\.self)
  }

  private func collect() {
    output.collect()
    errors.collect()
  }

  private func reapIfEnded() {
    var status: Int32 = 0
    guard ending == nil, unsafe waitpid(pid, &status, WNOHANG) == pid else { return }
    let signal = status & 0x7f  // wait(2): the low seven bits, otherwise the second byte.
    ending = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  private func overdue(_ awaited: String, _ limit: Duration) -> Overdue {
    Overdue(
      awaited: awaited, limit: limit,
      seen: "\(ending.map { "\($0)" } ?? "running")\noutput: \(output.text)\nerrors: \(errors.text)"
    )
  }

  deinit {
    guard isRunning else { return }
    kill(pid, SIGKILL)
    var status: Int32 = 0
    _ = unsafe waitpid(pid, &status, 0)
  }
}
