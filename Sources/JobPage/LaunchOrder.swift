/// The runner's instructions to the shim: where the files of one attempt are, and what to run.
///
/// Encoded as NUL-ended `key=value` fields, an empty field, then the `LaunchSpecification`. The shim reads
/// it from descriptor 3. The runner keeps it as a file beside the run record, from which a runner without
/// its store rebuilds the running jobs.
package struct LaunchOrder: Hashable, Sendable {
  package var record: String
  package var page: String
  package var log: String
  package var stateDirectory: String
  /// The value of `JOBRUN_TOKEN` in the worker's environment.
  package var token: String
  /// The time between TERM and KILL for children that outlive the worker.
  package var graceMilliseconds: UInt64
  /// The umask of the worker (umask(2)); nil: the supervisor's own.
  package var creationMask: UInt32?
  /// One line from which a runner without its store rebuilds the job; the supervisor ignores it.
  package var recovery = ""
  /// The time after which everything is killed; nil = left to the runner.
  package var limitMilliseconds: UInt64?
  /// The signal that the worker gets before its limit; nil = none.
  package var warning: LimitWarning?
  /// The size of the worker's terminal; nil = no terminal, the output goes straight to the log.
  package var terminal: TerminalSize?
  package var input = Input.nothing
  /// The maximum size of the log in bytes; nil = unlimited.
  package var logLimit: UInt64?
  /// Whether to watch the log for changes by inotify(7), which is limited to a number of files.
  package var watchesLog = false
  /// The minimum niceness of the worker; nil = that of its supervisor.
  package var niceness: Int32?
  /// The folder of the control group in which the worker starts; nil = no group of its own.
  package var group: String?
  /// The order comes from another machine with only a part of the environment: the rest is that of the
  /// supervisor.
  package var lacksEnvironment = false
  /// A line for the log before the worker starts, where an earlier attempt has written something.
  package var heading = ""
  /// The files for the worker's output in place of the log; nil = the log.
  package var standardOutput: String?
  package var standardError: String?
  /// Processes that outlive the worker are not ended.
  package var keepsBackground = false
  package var specification: LaunchSpecification

  package init(
    record: String, page: String, log: String, stateDirectory: String, token: String,
    graceMilliseconds: UInt64, creationMask: UInt32? = nil, specification: LaunchSpecification
  ) {
    self.record = record
    self.page = page
    self.log = log
    self.stateDirectory = stateDirectory
    self.token = token
    self.graceMilliseconds = graceMilliseconds
    self.creationMask = creationMask
    self.specification = specification
  }

  /// The exit code of a supervisor that started nothing for lack of a resource (EX_TEMPFAIL of
  /// sysexits(3)): the same order can be given again.
  package static let heldExitCode: Int32 = 75

  /// The environment entry that marks the processes of the attempt.
  package var environmentEntry: [UInt8] { Array("JOBRUN_TOKEN=\(token)".utf8) }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    for (key, value) in [
      ("record", record), ("page", page), ("log", log), ("state", stateDirectory),
      ("token", token), ("graceMs", String(graceMilliseconds)),
    ] {
      bytes.appendField(Array("\(key)=\(value)".utf8))
    }
    if let creationMask { bytes.appendField(Array("umask=\(creationMask)".utf8)) }
    if let limitMilliseconds { bytes.appendField(Array("limitMs=\(limitMilliseconds)".utf8)) }
    if let warning {
      bytes.appendField(Array("warn=\(warning.afterMilliseconds) \(warning.signal)".utf8))
    }
    if let terminal {
      bytes.appendField(Array("terminal=\(terminal.columns)x\(terminal.rows)".utf8))
    }
    if let text = input.text { bytes.appendField(Array("input=\(text)".utf8)) }
    if let logLimit { bytes.appendField(Array("logLimit=\(logLimit)".utf8)) }
    if watchesLog { bytes.appendField(Array("watchesLog=1".utf8)) }
    if let niceness { bytes.appendField(Array("nice=\(niceness)".utf8)) }
    if let group { bytes.appendField(Array("group=\(group)".utf8)) }
    if lacksEnvironment { bytes.appendField(Array("environment=yours".utf8)) }
    if !heading.isEmpty { bytes.appendField(Array("heading=\(heading)".utf8)) }
    if let standardOutput { bytes.appendField(Array("stdout=\(standardOutput)".utf8)) }
    if let standardError { bytes.appendField(Array("stderr=\(standardError)".utf8)) }
    if keepsBackground { bytes.appendField(Array("background=keep".utf8)) }
    if !recovery.isEmpty { bytes.appendField(Array("job=\(recovery)".utf8)) }
    bytes.appendField([])
    return bytes + specification.encoded()
  }

  package init(decoding bytes: [UInt8]) throws(JobPageError) {
    var fields = try FieldReader(bytes)
    // No dictionary: making the first one of a process takes longer than all of this.
    var keys: [String] = []
    var values: [String] = []
    while let field = fields.next(), !field.isEmpty {
      guard let equals = field.firstIndex(of: 0x3D) else { throw .malformed("a field has no name") }
      keys.append(String(decoding: field[..<equals], as: UTF8.self))
      values.append(String(decoding: field[(equals + 1)...], as: UTF8.self))
    }
    func known(_ key: String) -> String? { keys.lastIndex(of: key).map { values[$0] } }
    func value(_ key: String) throws(JobPageError) -> String {
      guard let value = known(key) else { throw .malformed("\(key) is missing") }
      return value
    }
    guard let grace = UInt64(try value("graceMs")) else { throw .malformed("graceMs") }
    self.init(
      record: try value("record"), page: try value("page"), log: try value("log"),
      stateDirectory: try value("state"), token: try value("token"), graceMilliseconds: grace,
      creationMask: known("umask").flatMap { UInt32($0) },
      specification: try LaunchSpecification(decoding: fields.remainder))
    recovery = known("job") ?? ""
    limitMilliseconds = known("limitMs").flatMap { UInt64($0) }
    warning = known("warn").flatMap { LimitWarning($0) }
    terminal = known("terminal").flatMap { TerminalSize($0) }
    guard let input = Input(known("input")) else { throw .malformed("input") }
    self.input = input
    logLimit = known("logLimit").flatMap { UInt64($0) }
    watchesLog = known("watchesLog") == "1"
    niceness = known("nice").flatMap { Int32($0) }
    group = known("group")
    lacksEnvironment = known("environment") == "yours"
    heading = known("heading") ?? ""
    standardOutput = known("stdout")
    standardError = known("stderr")
    keepsBackground = known("background") == "keep"
  }
}

extension LaunchOrder {
  /// A signal for the worker some time after its start.
  package struct LimitWarning: Hashable, Sendable {
    package var afterMilliseconds: UInt64
    package var signal: Int32

    package init(afterMilliseconds: UInt64, signal: Int32) {
      (self.afterMilliseconds, self.signal) = (afterMilliseconds, signal)
    }

    /// `7080000 10`.
    init?(_ text: String) {
      let parts = text.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2, let after = UInt64(parts[0]), let signal = Int32(parts[1]),
        (1...64).contains(signal)
      else { return nil }
      self.init(afterMilliseconds: after, signal: signal)
    }
  }

  /// The standard input of the worker.
  package enum Input: Hashable, Sendable {
    case nothing
    /// The descriptor that came with the order.
    case passed
    /// This file; a copy made for the job has this many bytes.
    case file(String, bytes: UInt64? = nil)
    /// Its terminal, into which people type through a pipe that the supervisor makes under this path.
    case terminal(String)

    /// `passed`, `file:/a/b`, `5:/a/b`, `terminal:/a/b`; nil for no input.
    var text: String? {
      switch self {
      case .nothing: nil
      case .passed: "passed"
      case .file(let path, let bytes): "\(bytes.map { "\($0)" } ?? "file"):\(path)"
      case .terminal(let path): "terminal:\(path)"
      }
    }

    /// Reads `text`; nil for anything else.
    init?(_ text: String?) {
      guard let text else {
        self = .nothing
        return
      }
      guard text != "passed" else {
        self = .passed
        return
      }
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      guard parts[0] != "terminal" else {
        self = .terminal(String(parts[1]))
        return
      }
      let bytes = UInt64(parts[0])
      guard bytes != nil || parts[0] == "file" else { return nil }
      self = .file(String(parts[1]), bytes: bytes)
    }
  }

  /// The size of a terminal in characters.
  package struct TerminalSize: Hashable, Sendable {
    package var columns: UInt16
    package var rows: UInt16

    package init(columns: UInt16, rows: UInt16) {
      self.columns = columns
      self.rows = rows
    }

    /// Reads `80x24`; nil for anything else.
    init?(_ text: String) {
      let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { UInt16($0) }
      guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1] else { return nil }
      self.init(columns: columns, rows: rows)
    }
  }
}
