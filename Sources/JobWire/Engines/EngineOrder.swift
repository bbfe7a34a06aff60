package import JobCore

/// What the runner tells the helper of an engine; a line of JSON each.
package enum EngineOrder: Hashable, Sendable {
  /// First of all.
  case hello(EngineGreeting)
  /// Runs this attempt; so many bytes follow the line: its launch order, and what it is to read.
  case launch(EngineLaunch)
  /// What the runner takes for live, answered by what is known of each, then by `adopted`; of what the helper
  /// has already, how much of the log is there. What is over of other jobs may go, but for those that are
  /// `waiting` for their next attempt; nil = all stays.
  case adopt([EngineAdoption], waiting: [JobNumber]?)
  /// May come again, with less time.
  case stop(EngineAttempt, reason: UInt32, graceMilliseconds: UInt64, terminates: Bool)
  /// Ends all of it now.
  case kill(EngineAttempt)
  /// Unless it has begun, it never will.
  case withdraw(EngineAttempt)
  /// Somebody watches it for so long.
  case watch(EngineAttempt, seconds: UInt32)
  /// Its end is stored: what is left of it may go.
  case forget(EngineAttempt)
  /// Answered at once by `pong`.
  case ping
}

/// An attempt by its job and its number.
package struct EngineAttempt: Hashable, Sendable {
  package var job: JobNumber
  /// From 1.
  package var attempt: Int

  package init(_ job: JobNumber, _ attempt: Int) {
    self.job = job
    self.attempt = attempt
  }
}

/// Who asks, and what is configured.
package struct EngineGreeting: Hashable, Sendable {
  package var version = EngineOrder.version
  /// The runner's name among others that use the same folder.
  package var store: String
  /// What the runner calls the engine: others of its own may use the same folder and the same cluster.
  package var engine: String
  /// Where the jobs' folders are; empty = the helper knows.
  package var folder: String
  package var partition: String?
  package var account: String?
  package var options: [String] = []

  package init(store: String, engine: String, folder: String) {
    self.store = store
    self.engine = engine
    self.folder = folder
  }
}

/// What the runner takes for live.
package struct EngineAdoption: Hashable, Sendable {
  package var attempt: EngineAttempt
  /// It has so much of its log.
  package var logBytes: UInt64
  /// Whether it was told that the attempt has begun, which is never made anew then.
  package var hasStarted: Bool

  package init(_ attempt: EngineAttempt, logBytes: UInt64, hasStarted: Bool) {
    self.attempt = attempt
    self.logBytes = logBytes
    self.hasStarted = hasStarted
  }
}

package struct EngineLaunch: Hashable, Sendable {
  package var attempt: EngineAttempt
  package var title: String
  package var subtitle: String
  /// What it needs of the machine there; zero = nothing that was named.
  package var processors = 0
  package var memoryBytes: UInt64 = 0
  package var diskBytes: UInt64 = 0
  package var gres: String?
  /// How long it may run, its grace included; nil = for as long as the engine lets it.
  package var limitMilliseconds: UInt64?
  /// How long it has to end once it is told to.
  package var graceMilliseconds: UInt64 = 0
  /// Of the launch order, and of what the job is to read, which follows it.
  package var bytes: Int
  package var inputBytes = 0

  package init(_ attempt: EngineAttempt, title: String, subtitle: String, bytes: Int) {
    self.attempt = attempt
    self.title = title
    self.subtitle = subtitle
    self.bytes = bytes
  }
}

extension EngineOrder {
  package static let version = 1

  /// The line, newline included.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.field("op", word)
    switch self {
    case .hello(let greeting):
      writer.field("v", greeting.version)
      writer.field("store", greeting.store)
      writer.field("engine", greeting.engine)
      writer.field("folder", greeting.folder)
      writer.field("partition", greeting.partition)
      writer.field("account", greeting.account)
      writer.field("options", greeting.options)
    case .launch(let launch):
      writer.fields(launch.attempt)
      writer.field("title", launch.title)
      writer.field("subtitle", launch.subtitle)
      writer.field("cpus", launch.processors)
      writer.field("memory", launch.memoryBytes)
      writer.field("disk", launch.diskBytes)
      writer.field("gres", launch.gres)
      writer.field("limitMs", launch.limitMilliseconds)
      writer.field("graceMs", launch.graceMilliseconds)
      writer.field("bytes", launch.bytes)
      writer.field("inputBytes", launch.inputBytes)
    case .adopt(let attempts, let waiting):
      writer.field("attempts", attempts.map { $0.text })
      if let waiting { writer.field("waiting", waiting.map { "\($0)" }) }
    case .stop(let attempt, let reason, let grace, let terminates):
      writer.fields(attempt)
      writer.field("reason", reason)
      writer.field("graceMs", grace)
      writer.field("terminate", terminates)
    case .watch(let attempt, let seconds):
      writer.fields(attempt)
      writer.field("seconds", seconds)
    case .kill(let attempt), .withdraw(let attempt), .forget(let attempt):
      writer.fields(attempt)
    case .ping: break
    }
    writer.endObject()
    writer.newline()
    return writer.bytes
  }

  private var word: String {
    switch self {
    case .hello: "hello"
    case .launch: "launch"
    case .adopt: "adopt"
    case .stop: "stop"
    case .kill: "kill"
    case .withdraw: "withdraw"
    case .watch: "watch"
    case .forget: "forget"
    case .ping: "ping"
    }
  }

  package init(line: ArraySlice<UInt8>) throws(WireError) {
    let fields = try JSONFields(line: line)
    switch try fields.string("op") {
    case "hello":
      var greeting = EngineGreeting(
        store: try fields.string("store"), engine: try fields.string("engine"),
        folder: try fields.string("folder"))
      greeting.version = try fields.number("v")
      greeting.partition = try fields.optionalString("partition")
      greeting.account = try fields.optionalString("account")
      greeting.options = try fields.strings("options")
      self = .hello(greeting)
    case "launch":
      var launch = EngineLaunch(
        try fields.engineAttempt(), title: try fields.string("title"),
        subtitle: try fields.string("subtitle"), bytes: try fields.number("bytes"))
      launch.processors = try fields.number("cpus")
      launch.memoryBytes = try fields.number("memory")
      launch.diskBytes = try fields.number("disk")
      launch.gres = try fields.optionalString("gres")
      launch.limitMilliseconds = try fields.optionalNumber("limitMs")
      launch.graceMilliseconds = try fields.number("graceMs")
      launch.inputBytes = try fields.number("inputBytes")
      self = .launch(launch)
    case "adopt":
      var attempts: [EngineAdoption] = []
      for text in try fields.strings("attempts") { attempts.append(try EngineAdoption(text)) }
      self = .adopt(
        attempts,
        waiting: fields.value("waiting") != nil ? try fields.numbersAsTexts("waiting") : nil)
    case "stop":
      self = .stop(
        try fields.engineAttempt(), reason: try fields.number("reason"),
        graceMilliseconds: try fields.number("graceMs"), terminates: try fields.bool("terminate"))
    case "kill": self = .kill(try fields.engineAttempt())
    case "withdraw": self = .withdraw(try fields.engineAttempt())
    case "watch":
      self = .watch(try fields.engineAttempt(), seconds: try fields.number("seconds"))
    case "forget": self = .forget(try fields.engineAttempt())
    case "ping": self = .ping
    case let word: throw WireError(.badFrame, "an engine was sent \(word.quoted), which is unknown")
    }
  }
}

extension EngineAdoption {
  /// `12.1.4096.1`: job, attempt, bytes, whether it has begun.
  var text: String { "\(attempt.job).\(attempt.attempt).\(logBytes).\(hasStarted ? 1 : 0)" }

  init(_ text: String) throws(WireError) {
    let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { UInt64(Substring($0)) }
    guard numbers.count == 4, let job = numbers[0], let attempt = numbers[1],
      let bytes = numbers[2], let started = numbers[3],
      attempt > 0, let number = Int(exactly: attempt)
    else { throw WireError(.badFrame, "\(text.quoted) is not an attempt") }
    self.init(EngineAttempt(JobNumber(job), number), logBytes: bytes, hasStarted: started != 0)
  }
}

extension JSONWriter {
  mutating func fields(_ attempt: EngineAttempt) {
    field("job", attempt.job.value)
    field("attempt", attempt.attempt)
  }
}

extension JSONFields {
  func engineAttempt() throws(WireError) -> EngineAttempt {
    EngineAttempt(JobNumber(try number("job")), try number("attempt"))
  }
}
