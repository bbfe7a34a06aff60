package import JobCore

/// What the helper of an engine tells the runner, a line of JSON each.
///
/// All of them may come late or twice.
package enum EngineReport: Hashable, Sendable {
  /// The answer to `hello`.
  case ready(version: Int, node: String)
  /// The engine has it, under this name of its own.
  case accepted(EngineAttempt, id: String)
  /// It has not begun, for this reason.
  case pending(EngineAttempt, PendingReason.Code, message: String)
  /// Its worker runs on this machine.
  case started(EngineAttempt, node: String)
  case page(EngineAttempt, RemoteSample)
  /// What its log has from there on.
  case log(EngineAttempt, from: UInt64, [UInt8])
  /// The record of an attempt that is over; what the engine says of it where that knows more, and what it
  /// has written for people.
  case ended(EngineAttempt, record: String, EngineCause?, message: String)
  /// How it ended will never be known.
  case lost(EngineAttempt, EngineCause, message: String)
  /// It never began and never will.
  case revoked(EngineAttempt)
  /// The engine will never run it.
  case refused(EngineAttempt, message: String)
  /// Nothing is heard from where it runs, for so long; nil = it is again.
  case contact(EngineAttempt, silentMilliseconds: UInt64?)
  /// All that is known of what was to be adopted has been told.
  case adopted
  /// What its machine has; who holds what, and slots, are the runner's to say.
  case machine(ResourcesReport)
  case pong
  /// For the runner's log.
  case note(String)
}

/// What an engine says of an attempt that did not end by itself.
package enum EngineCause: String, Hashable, Sendable, CaseIterable {
  case cancelled
  case preempted
  case outOfMemory
  case overLimit
  /// Its machine or its supervisor is gone.
  case lost
}

extension EngineCause: FieldValue {}

extension EngineReport: CodedChoice {
  package enum Kind: String, CaseIterable, FieldValue {
    case ready, accepted, pending, started, page, log, ended, lost, revoked, refused, contact
    case adopted, machine, pong, note
  }

  package static var kindField: StaticString { "ev" }

  package init() { self = .pong }

  package init(_ kind: Kind) {
    let attempt = EngineAttempt()
    self =
      switch kind {
      case .ready: .ready(version: 0, node: "")
      case .accepted: .accepted(attempt, id: "")
      case .pending: .pending(attempt, .slots, message: "")
      case .started: .started(attempt, node: "")
      case .page: .page(attempt, RemoteSample())
      case .log: .log(attempt, from: 0, [])
      case .ended: .ended(attempt, record: "", nil, message: "")
      case .lost: .lost(attempt, .lost, message: "")
      case .revoked: .revoked(attempt)
      case .refused: .refused(attempt, message: "")
      case .contact: .contact(attempt, silentMilliseconds: nil)
      case .adopted: .adopted
      case .machine: .machine(ResourcesReport())
      case .pong: .pong
      case .note: .note("")
      }
  }

  package var kind: Kind {
    switch self {
    case .ready: .ready
    case .accepted: .accepted
    case .pending: .pending
    case .started: .started
    case .page: .page
    case .log: .log
    case .ended: .ended
    case .lost: .lost
    case .revoked: .revoked
    case .refused: .refused
    case .contact: .contact
    case .adopted: .adopted
    case .machine: .machine
    case .pong: .pong
    case .note: .note
    }
  }

  package func coded<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) -> EngineReport {
    switch self {
    case .ready(let version, let node):
      .ready(version: try coder.coded(version, "v"), node: try coder.sentence(node, "node"))
    case .accepted(let attempt, let id):
      .accepted(try coder.inline(attempt), id: try coder.sentence(id, "id"))
    case .pending(let attempt, let code, let message):
      .pending(
        try coder.inline(attempt), try coder.coded(code, "code"),
        message: try coder.sentence(message, "message"))
    case .started(let attempt, let node):
      .started(try coder.inline(attempt), node: try coder.sentence(node, "node"))
    case .page(let attempt, let sample):
      .page(try coder.inline(attempt), try coder.inline(sample))
    case .log(let attempt, let start, let bytes):
      .log(
        try coder.inline(attempt), from: try coder.coded(start, "from"),
        try coder.coded(ByteString(bytes: bytes), "bytes").bytes)
    case .ended(let attempt, let record, let cause, let message):
      .ended(
        try coder.inline(attempt), record: try coder.coded(record, "record"),
        try coder.coded(cause, "cause", null: true),
        message: try coder.sentence(message, "message", leavesOutEmpty: true))
    case .lost(let attempt, let cause, let message):
      .lost(
        try coder.inline(attempt), try coder.coded(cause, "cause"),
        message: try coder.sentence(message, "message"))
    case .revoked(let attempt): .revoked(try coder.inline(attempt))
    case .refused(let attempt, let message):
      .refused(try coder.inline(attempt), message: try coder.sentence(message, "message"))
    case .contact(let attempt, let silent):
      .contact(
        try coder.inline(attempt),
        silentMilliseconds: try coder.coded(silent, "silentMs", null: true))
    case .adopted, .pong: self
    case .machine(let report): .machine(try coder.inline(report))
    case .note(let text): .note(try coder.sentence(text, "text"))
    }
  }
}

extension FieldCoder {
  /// For people: another machine may tell whatever it likes, and as much.
  mutating func sentence(
    _ text: String, _ name: StaticString, leavesOutEmpty: Bool = false
  ) throws(Failure) -> String {
    let told =
      leavesOutEmpty ? try coded(text, name, usual: "") : try coded(text, name)
    return isReading ? SafeText.shown(told, atMost: 1_000) : text
  }
}

/// Bytes of no encoding, such as a log's: a character for each.
private struct ByteString: FieldValue {
  var bytes: [UInt8]

  static var wanted: String { String.wanted }

  func write(to writer: inout JSONWriter) {
    writer.value(String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) })))
  }

  static func read(_ value: JSONValue, at place: FieldPlace) -> ByteString? {
    String.read(value, at: place).map { text in
      ByteString(bytes: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
  }
}
