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
  /// Nobody will ever write how it ended.
  case lost(EngineAttempt, EngineCause, message: String)
  /// It never began and never will.
  case revoked(EngineAttempt)
  /// The engine will never run it.
  case refused(EngineAttempt, message: String)
  /// Nothing is heard from where it runs, for so long; nil = it is again.
  case contact(EngineAttempt, silentMilliseconds: UInt64?)
  /// All that is known of what was to be adopted has been told.
  case adopted
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

extension EngineReport {
  /// The line, newline included.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    switch self {
    case .ready(let version, let node):
      writer.field("ev", "ready")
      writer.field("v", version)
      writer.field("node", node)
    case .accepted(let attempt, let id):
      writer.event("accepted", attempt)
      writer.field("id", id)
    case .pending(let attempt, let code, let message):
      writer.event("pending", attempt)
      writer.field("code", code.rawValue)
      writer.field("message", message)
    case .started(let attempt, let node):
      writer.event("started", attempt)
      writer.field("node", node)
    case .page(let attempt, let look):
      writer.event("page", attempt)
      writer.fields(look)
    case .log(let attempt, let start, let bytes):
      writer.event("log", attempt)
      writer.field("from", start)
      // A character for each byte: a log is of no encoding.
      writer.field("bytes", String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) })))
    case .ended(let attempt, let record, let cause, let message):
      writer.event("ended", attempt)
      writer.field("record", record)
      writer.field("cause", cause?.rawValue)
      if !message.isEmpty { writer.field("message", message) }
    case .lost(let attempt, let cause, let message):
      writer.event("lost", attempt)
      writer.field("cause", cause.rawValue)
      writer.field("message", message)
    case .revoked(let attempt): writer.event("revoked", attempt)
    case .refused(let attempt, let message):
      writer.event("refused", attempt)
      writer.field("message", message)
    case .contact(let attempt, let silent):
      writer.event("contact", attempt)
      writer.field("silentMs", silent)
    case .adopted: writer.field("ev", "adopted")
    case .pong: writer.field("ev", "pong")
    case .note(let text):
      writer.field("ev", "note")
      writer.field("text", text)
    }
    writer.endObject()
    writer.newline()
    return writer.bytes
  }

  package init(line: ArraySlice<UInt8>) throws(WireError) {
    let fields = try JSONFields(line: line)
    switch try fields.string("ev") {
    case "ready":
      self = .ready(version: try fields.number("v"), node: try fields.words("node"))
    case "accepted":
      self = .accepted(try fields.engineAttempt(), id: try fields.words("id"))
    case "pending":
      self = .pending(
        try fields.engineAttempt(), try fields.choice("code"),
        message: try fields.words("message"))
    case "started": self = .started(try fields.engineAttempt(), node: try fields.words("node"))
    case "page": self = .page(try fields.engineAttempt(), try RemoteSample(fields))
    case "log":
      let text = try fields.string("bytes")
      self = .log(
        try fields.engineAttempt(), from: try fields.number("from"),
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    case "ended":
      self = .ended(
        try fields.engineAttempt(), record: try fields.string("record"),
        try fields.optionalChoice("cause"),
        message: fields.value("message") == nil ? "" : try fields.words("message"))
    case "lost":
      self = .lost(
        try fields.engineAttempt(), try fields.choice("cause"),
        message: try fields.words("message"))
    case "revoked": self = .revoked(try fields.engineAttempt())
    case "refused":
      self = .refused(try fields.engineAttempt(), message: try fields.words("message"))
    case "contact":
      self = .contact(
        try fields.engineAttempt(), silentMilliseconds: try fields.optionalNumber("silentMs"))
    case "adopted": self = .adopted
    case "pong": self = .pong
    case "note": self = .note(try fields.words("text"))
    case let word: throw WireError(.badFrame, "an engine sent \(word.quoted), which is unknown")
    }
  }
}

extension JSONFields {
  /// For people: another machine may tell whatever it likes, and as much.
  func words(_ name: String) throws(WireError) -> String {
    let text = try string(name).unicodeScalars
    return SafeText.shown(String(String.UnicodeScalarView(text.prefix(1_000))))
  }
}

extension JSONWriter {
  fileprivate mutating func event(_ word: String, _ attempt: EngineAttempt) {
    field("ev", word)
    fields(attempt)
  }
}
