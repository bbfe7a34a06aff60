/// What the runner tells the shim: where everything of one attempt is, and what to run.
///
/// Encoded as NUL-ended `key=value` fields, an empty field, then the `LaunchSpecification`. The shim
/// reads it from descriptor 3. The runner keeps it as a file beside the run record, from which a runner
/// without its store rebuilds what runs.
package struct LaunchOrder: Hashable, Sendable {
  package var record: String
  package var page: String
  package var log: String
  package var stateDirectory: String
  /// The value of `JOBRUN_TOKEN` in the worker's environment.
  package var token: String
  /// How long children that outlive the worker get between TERM and KILL.
  package var graceMilliseconds: UInt64
  /// The bits that the worker's new files do not get (umask(2)); nil: the supervisor's own.
  package var creationMask: UInt32?
  /// One line that a runner without its store rebuilds the job from; the supervisor passes it over.
  package var dossier = ""
  /// After which everything is killed; nil = the runner decides that.
  package var limitMilliseconds: UInt64?
  /// Of the terminal that the worker gets; nil = none, its output goes straight to the log.
  package var terminal: TerminalSize?
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

  /// The whole entry of the environment that marks the processes of the attempt.
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
    if let terminal {
      bytes.appendField(Array("terminal=\(terminal.columns)x\(terminal.rows)".utf8))
    }
    if !dossier.isEmpty { bytes.appendField(Array("job=\(dossier)".utf8)) }
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
    dossier = known("job") ?? ""
    limitMilliseconds = known("limitMs").flatMap { UInt64($0) }
    terminal = known("terminal").flatMap { TerminalSize($0) }
  }
}

extension LaunchOrder {
  /// Of a terminal, in characters.
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
