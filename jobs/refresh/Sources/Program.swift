internal import Foundation

/// Another program, run to its end.
struct Program {
  struct Answer: Sendable {
    var status: Int32
    var output: String
    var errors: String

    /// The last line on standard error: the error message.
    var lastError: String { errors.split(separator: "\n").last.map(String.init) ?? "" }
  }

  let path: String

  init(_ path: String) {
    self.path = path
  }

  static func onPath(_ name: String) -> Program? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in folders.split(separator: ":") {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return Program(path) }
    }
    return nil
  }

  /// Ends with the program; cancelling the task ends the program.
  ///
  /// `input` is its standard input, smaller than a pipe's buffer.
  func run(_ arguments: [String], input: String = "") async throws -> Answer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let (given, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = given
    process.standardOutput = output
    process.standardError = errors
    // Before the reader starts: writing after it has exited would raise a signal.
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try given.fileHandleForWriting.close()
    try process.run()
    let running = Running(process)
    return await withTaskCancellationHandler {
      // Both outputs are a few words at most, far smaller than a pipe's buffer.
      let said = Self.text(output)
      let complaint = Self.text(errors)
      process.waitUntilExit()
      return Answer(status: process.terminationStatus, output: said, errors: complaint)
    } onCancel: {
      running.end()
    }
  }

  private static func text(_ pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// The process, for cancellation.
  ///
  /// Sendable by hand: `terminate` is a kill(2) of a pid, from any thread.
  private final class Running: @unchecked Sendable {
    private let process: Process

    init(_ process: Process) {
      self.process = process
    }

    func end() { process.terminate() }
  }
}
