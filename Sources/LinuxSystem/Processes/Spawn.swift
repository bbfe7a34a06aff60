internal import CLinux

/// A program to start as a child process.
///
/// It starts with default signal dispositions and an empty signal mask, whatever this process has
/// set. The costs do not grow with this process's memory (vfork(2)).
package struct Spawn: Hashable, Sendable {
  /// One descriptor of this process and the number it gets in the child.
  package struct Descriptor: Hashable, Sendable {
    package var source: Int32
    package var target: Int32

    package init(_ source: Int32, as target: Int32) {
      self.source = source
      self.target = target
    }
  }

  /// A line that the child writes just before the program starts, so that nothing of it has run
  /// when the line is there: `prefix PID STARTTIME suffix`, without added blanks around it.
  package struct Announcement: Hashable, Sendable {
    package var prefix: String
    package var suffix: String
    /// Must take the line in one write, or the program does not start.
    package var record: Int32
    /// Gets the line too, and failing is no matter; -1: nobody.
    package var listener: Int32

    package init(prefix: String, suffix: String, record: Int32, listener: Int32 = -1) {
      self.prefix = prefix
      self.suffix = suffix
      self.record = record
      self.listener = listener
    }
  }

  /// The program's name or path first; any bytes but NUL.
  ///
  /// A name without a slash is looked for on the PATH of `environment`.
  package var arguments: [[UInt8]]
  /// `NAME=VALUE` each; any bytes but NUL.
  package var environment: [[UInt8]]
  /// Nil: this process's.
  package var directory: [UInt8]?
  /// At most 16; of the rest only 0, 1 and 2 are inherited.
  package var descriptors: [Descriptor] = []
  package var startsSession = false
  package var startsGroup = false
  /// With `startsGroup`: standard output is the session's terminal, and the new group gets into its
  /// foreground (tcsetpgrp(3)).
  package var takesForeground = false
  /// What the child gets when the thread that started it ends; nil: nothing.
  package var deathSignal: Int32?
  /// How nice the child is at least, 1 to 19, and then it also reads and writes after others; 0: as this
  /// process.
  package var niceness: Int32 = 0
  /// Limits, scheduling and processors that the child gets, as far as this process may give them; nil: its
  /// own.
  package var terms: ProcessTerms?
  /// The child gets those of a process that nobody has set anything for.
  package var resetsTerms = false
  package var announcement: Announcement?
  /// The open folder of a control group in which the child begins; nil: this process's own.
  package var controlGroup: Int32?

  /// The operation of the error that `start` throws when the group takes no child.
  package static let enteringGroup = unsafe String(cString: clinux_entering_group)

  package init(
    _ arguments: [[UInt8]], environment: [[UInt8]], directory: [UInt8]? = nil
  ) {
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// With texts; the environment is this process's unless given.
  package init(_ arguments: [String], environment: [[UInt8]]? = nil) {
    self.init(
      arguments.map { Array($0.utf8) },
      environment: environment ?? CurrentProcess.environment())
  }

  /// Starts the program and returns its pid; the child must be reaped by `ChildProcess`.
  ///
  /// When it throws, nothing of the program has run and there is no child.
  package func start() throws(SystemError) -> Int32 {
    guard let name = arguments.first, !name.isEmpty else {
      throw SystemError("start", SystemError.notFound, path: "an empty command")
    }
    let result = unsafe SpawnMemory(self).start()
    guard result.outcome < 0 else { return result.outcome }
    throw problem(in: result.step, -result.outcome)
  }

  /// Starts the program and returns what watches it; the child must be reaped by `ChildProcess`.
  ///
  /// When it throws, there is no child: one that cannot be watched is ended with its group.
  package func startWatched() throws(SystemError) -> ProcessDescriptor {
    let pid = try start()
    do throws(SystemError) {
      return try ProcessDescriptor(pid)
    } catch {
      ChildProcess.discard(pid)
      throw error
    }
  }

  /// Where the program may be: the path itself, or its name in every folder of PATH.
  var candidates: [[UInt8]] {
    guard let name = arguments.first, !name.contains(0x2F) else { return arguments.prefix(1) + [] }
    let prefix = Array("PATH=".utf8)
    let path = environment.first { $0.starts(with: prefix) }?.dropFirst(prefix.count)
    let folders = (path ?? ArraySlice("/usr/local/bin:/usr/bin:/bin".utf8))
      .split(separator: 0x3A, omittingEmptySubsequences: false)
    return folders.map { $0.isEmpty ? [0x2E, 0x2F] + name : Array($0) + [0x2F] + name }
  }
}
