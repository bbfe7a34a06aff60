import Foundation
import Glibc

/// A temporary folder for one test, with a `jobrun` home in it; both are removed with the value.
///
/// Hold it as a stored property of the suite, or use `withSandbox`: a local constant may be released after
/// its last use, before the test ends.
package final class Sandbox: Sendable {
  /// Absolute path without symbolic links, short enough for sockets below it.
  package let root: String

  package init(in folder: String = "/tmp") throws(SystemCallFailure) {
    var template = Array("\(folder)/jobrun-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SystemCallFailure("mkdtemp") }
    root = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard unsafe mkdir(home, 0o700) == 0, unsafe mkdir(work, 0o755) == 0 else {
      throw SystemCallFailure("mkdir below \(root)")
    }
  }

  /// `JOBRUN_HOME`: holds `state/`, `run/` and `config.json`.
  package var home: String { root + "/home" }
  /// An empty folder to run commands in; HOME of the processes, too.
  package var work: String { root + "/work" }

  /// The whole environment for processes of this sandbox, without the developer's own settings.
  package var environment: [String: String] {
    [
      "JOBRUN_HOME": home, "HOME": work, "PATH": BuiltProducts.folder + ":/usr/bin:/bin",
      "LANG": "C.UTF-8", "TMPDIR": root,
    ]
  }

  /// The path of a file in `work`.
  package func path(_ relative: String) -> String {
    work + "/" + relative
  }

  /// Writes a file below `work`, with its parent folders; returns its path.
  @discardableResult
  package func write(
    _ text: String, to relative: String, executable: Bool = false
  ) throws -> String {
    let file = URL(fileURLWithPath: path(relative))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard executable else {
      // As editors save it: a process that another test is forking may keep a file open that is written in place, and
      // then the runner hears of the change only once that has ended.
      let isSettings = file.lastPathComponent == "config.json"
      try Data(text.utf8).write(to: file, options: isSettings ? .atomic : [])
      guard unsafe chmod(file.path, 0o644) == 0 else {
        throw SystemCallFailure("chmod \(file.path)")
      }
      return file.path
    }
    let draft = URL(fileURLWithPath: file.path + ".draft")
    try Data(text.utf8).write(to: draft)
    defer { try? FileManager.default.removeItem(at: draft) }
    try copy(draft.path, to: file.path)
    guard unsafe chmod(file.path, 0o755) == 0 else {
      throw SystemCallFailure("chmod \(file.path)")
    }
    return file.path
  }

  /// Copies a built executable to a path below `work`, whose folder exists; returns that path.
  @discardableResult
  package func copyExecutable(_ name: String, to relative: String) throws -> String {
    try copy(BuiltProducts.path(name), to: path(relative))
    return path(relative)
  }

  /// Copies an executable in another process: a file that this process has open for writing may be
  /// inherited by a process that another test starts just then, and could not be executed (`ETXTBSY`,
  /// execve(2)).
  private func copy(_ source: String, to target: String) throws {
    let copied = try run("cp", ["--", source, target])
    guard copied.status == 0 else { throw CopyFailure(errors: copied.errors) }
  }

  /// The error message of `cp`.
  package struct CopyFailure: Error {
    package var errors: String
  }

  /// Starts a process in `work` with this sandbox's environment.
  ///
  /// `executable` is the name of a built product, a path, or a name on PATH; `environment` is added to the
  /// sandbox's and replaces equal names; `directory` is absolute (nil = `work`); `input` is the text of its
  /// standard input (nil = /dev/null).
  package func start(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    directory: String? = nil, input: String? = nil
  ) throws(SystemCallFailure) -> ChildProcess {
    try ChildProcess(
      resolved(executable), arguments,
      environment: self.environment.merging(environment) { $1 }, directory: directory ?? work,
      input: input)
  }

  /// Starts a process as `start` does and waits for its end.
  @discardableResult
  package func run(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    directory: String? = nil, input: String? = nil, within limit: Duration = Deadline.timeout
  ) throws -> ChildProcess.Finished {
    let child = try start(
      executable, arguments, environment: environment, directory: directory, input: input)
    return try child.wait(within: limit)
  }

  /// Starts a process on a terminal, otherwise as `start` does.
  package func start(
    _ executable: String, _ arguments: [String] = [], on terminal: Pseudoterminal,
    environment: [String: String] = [:], directory: String? = nil
  ) throws(SystemCallFailure) -> ChildProcess {
    try terminal.start(
      resolved(executable), arguments,
      environment: self.environment.merging(environment) { $1 }, directory: directory ?? work)
  }

  private func resolved(_ executable: String) -> String {
    guard !executable.contains("/") else { return executable }
    return (try? BuiltProducts.path(executable)) ?? executable
  }

  deinit {
    endProcesses()
    // A folder that cannot be removed is left for /tmp to clear; the test result stands.
    try? FileManager.default.removeItem(atPath: root)
  }
}

/// Passes `body` a sandbox that lives exactly as long as it runs.
package func withSandbox<Value>(_ body: (Sandbox) throws -> Value) throws -> Value {
  let sandbox = try Sandbox()
  return try withExtendedLifetime(sandbox) { try body(sandbox) }
}
