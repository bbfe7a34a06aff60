internal import CLinux

/// A program to start as a child process.
///
/// It starts with default signal dispositions and an empty signal mask, whatever this process has set. The
/// cost does not grow with this process's memory (vfork(2)).
package struct Spawn: Hashable, Sendable {
  /// A descriptor of this process and its number in the child.
  package struct Descriptor: Hashable, Sendable {
    package var source: Int32
    package var target: Int32

    package init(_ source: Int32, as target: Int32) {
      self.source = source
      self.target = target
    }
  }

  /// A line that the child writes just before the program starts, so that the program has not run yet when
  /// the line is there: `prefix PID STARTTIME suffix`, without added blanks around it.
  package struct Announcement: Hashable, Sendable {
    package var prefix: String
    package var suffix: String
    /// Must take the line in one write, or the program does not start.
    package var record: Int32
    /// Gets the line too, and may fail to; -1: none.
    package var listener: Int32

    package init(prefix: String, suffix: String, record: Int32, listener: Int32 = -1) {
      self.prefix = prefix
      self.suffix = suffix
      self.record = record
      self.listener = listener
    }
  }

  /// The arguments, the program's name or path first; any bytes but NUL.
  ///
  /// A name without a slash is looked up on the PATH of `environment`.
  package var arguments: [[UInt8]]
  /// `NAME=VALUE` each; any bytes but NUL.
  package var environment: [[UInt8]]
  /// Nil: the folder of this process.
  package var directory: [UInt8]?
  /// At most 16; of all others only 0, 1 and 2 are inherited.
  package var descriptors: [Descriptor] = []
  package var startsSession = false
  package var startsGroup = false
  /// With `startsGroup`: standard output is the session's terminal, and the new group becomes its
  /// foreground group (tcsetpgrp(3)).
  package var takesForeground = false
  /// The signal that the child gets when the thread that started it ends; nil: none.
  package var deathSignal: Int32?
  /// The minimum niceness of the child, 1 to 19, which also lowers its disk priority; 0: as this process.
  package var niceness: Int32 = 0
  /// Limits, scheduling and processors of the child, as far as this process may set them; nil: as this
  /// process.
  package var terms: ProcessTerms?
  /// The child gets the system's default terms.
  package var resetsTerms = false
  package var announcement: Announcement?
  /// The open folder of the control group that the child starts in; nil: the group of this process.
  package var controlGroup: Int32?

  /// The operation of the error that `start` throws when the group refuses the child.
  package static let enteringGroup = unsafe String(cString: clinux_entering_group)

  package init(
    _ arguments: [[UInt8]], environment: [[UInt8]], directory: [UInt8]? = nil
  ) {
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// From strings; the environment is this process's unless given.
  package init(_ arguments: [String], environment: [[UInt8]]? = nil) {
    self.init(
      arguments.map { Array($0.utf8) },
      environment: environment ?? CurrentProcess.environment())
  }

  /// Starts the program and returns its pid; the child must be reaped by `ChildProcess`.
  ///
  /// When it throws, the program has not run and there is no child.
  package func start() throws(SystemError) -> Int32 {
    guard let name = arguments.first, !name.isEmpty else {
      throw SystemError("start", SystemError.notFound, path: "an empty command")
    }
    let result = unsafe SpawnMemory(self).start()
    guard result.outcome < 0 else { return result.outcome }
    throw problem(in: result.step, -result.outcome)
  }

  /// Starts the program and returns its process descriptor; the child must be reaped by `ChildProcess`.
  ///
  /// When it throws, there is no child: a child that cannot be watched is ended with its group.
  package func startWatched() throws(SystemError) -> ProcessDescriptor {
    let pid = try start()
    do throws(SystemError) {
      return try ProcessDescriptor(pid)
    } catch {
      ChildProcess.discard(pid)
      throw error
    }
  }

  /// The possible paths of the program: the path itself, or its name in every folder of PATH.
  var candidates: [[UInt8]] {
    guard let name = arguments.first, !name.contains(0x2F) else { return arguments.prefix(1) + [] }
    let prefix = Array("PATH=".utf8)
    let path = environment.first { $0.starts(with: prefix) }?.dropFirst(prefix.count)
    let folders = (path ?? ArraySlice("/usr/local/bin:/usr/bin:/bin".utf8))
      .split(separator: 0x3A, omittingEmptySubsequences: false)
    return folders.map { $0.isEmpty ? [0x2E, 0x2F] + name : Array($0) + [0x2F] + name }
  }
}
