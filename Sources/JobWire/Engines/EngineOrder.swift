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
  /// A client watches it, for this long.
  case watch(EngineAttempt, seconds: UInt32)
  /// Its end is stored: what is left of it may go.
  case forget(EngineAttempt)
  /// What the machine has, answered by `machine`; `gpus`: its driver is to be asked, too.
  case survey(gpus: Bool)
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
  package var batch: BatchSystem?

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
  package var gpuCount = 0
  /// How many nodes and tasks; 0 = one of each.
  ///
  /// Processors are those of a task, memory that of a node.
  package var nodes = 0
  package var tasks = 0
  /// UUIDs of the GPUs that it alone has there.
  package var gpus: [String] = []
  /// In place of the partition of the settings.
  package var partition: String?
  /// Options beside those of the settings.
  package var options: [String] = []
  /// The same in Slurm's words.
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

extension EngineOrder: CodedChoice {
  package static let version = 1

  package enum Kind: String, CaseIterable, FieldValue {
    case hello, launch, adopt, stop, kill, withdraw, watch, forget, survey, ping
  }

  package static var kindField: StaticString { "op" }

  package init() { self = .ping }

  package init(_ kind: Kind) {
    let attempt = EngineAttempt()
    self =
      switch kind {
      case .hello: .hello(EngineGreeting())
      case .launch: .launch(EngineLaunch())
      case .adopt: .adopt([], waiting: nil)
      case .stop: .stop(attempt, reason: 0, graceMilliseconds: 0, terminates: false)
      case .kill: .kill(attempt)
      case .withdraw: .withdraw(attempt)
      case .watch: .watch(attempt, seconds: 0)
      case .forget: .forget(attempt)
      case .survey: .survey(gpus: false)
      case .ping: .ping
      }
  }

  package var kind: Kind {
    switch self {
    case .hello: .hello
    case .launch: .launch
    case .adopt: .adopt
    case .stop: .stop
    case .kill: .kill
    case .withdraw: .withdraw
    case .watch: .watch
    case .forget: .forget
    case .survey: .survey
    case .ping: .ping
    }
  }

  package func coded<Coder: FieldCoder>(
    with coder: inout Coder
  ) throws(Coder.Failure) -> EngineOrder {
    switch self {
    case .hello(let greeting): .hello(try coder.inline(greeting))
    case .launch(let launch): .launch(try coder.inline(launch))
    case .adopt(let attempts, let waiting):
      .adopt(
        try coder.coded(attempts, "attempts"), waiting: try coder.texts(waiting, "waiting"))
    case .stop(let attempt, let reason, let grace, let terminates):
      .stop(
        try coder.inline(attempt), reason: try coder.coded(reason, "reason"),
        graceMilliseconds: try coder.coded(grace, "graceMs"),
        terminates: try coder.coded(terminates, "terminate"))
    case .kill(let attempt): .kill(try coder.inline(attempt))
    case .withdraw(let attempt): .withdraw(try coder.inline(attempt))
    case .watch(let attempt, let seconds):
      .watch(try coder.inline(attempt), seconds: try coder.coded(seconds, "seconds"))
    case .forget(let attempt): .forget(try coder.inline(attempt))
    case .survey(let gpus): .survey(gpus: try coder.coded(gpus, "gpus"))
    case .ping: self
    }
  }
}

extension EngineAttempt: Coded {
  package init() { self.init(JobNumber(0), 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&job, "job")
    try coder.code(&attempt, "attempt")
  }
}

extension EngineGreeting: Coded {
  package init() { self.init(store: "", engine: "", folder: "") }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.code(&version, "v")
    try coder.code(&store, "store")
    try coder.code(&engine, "engine")
    try coder.code(&folder, "folder")
    try coder.codeAlways(&partition, "partition")
    try coder.codeAlways(&account, "account")
    try coder.codeAlways(&options, "options")
    try coder.code(&batch, "batch")
  }
}

extension EngineLaunch: Coded {
  package init() { self.init(EngineAttempt(), title: "", subtitle: "", bytes: 0) }

  package mutating func code<Coder: FieldCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try attempt.code(with: &coder)
    try coder.code(&title, "title")
    try coder.code(&subtitle, "subtitle")
    try coder.code(&processors, "cpus")
    try coder.code(&memoryBytes, "memory")
    try coder.code(&diskBytes, "disk")
    try coder.code(&gpuCount, "gpuCount", usual: 0)
    try coder.code(&nodes, "nodes", usual: 0)
    try coder.code(&tasks, "tasks", usual: 0)
    try coder.code(&gpus, "gpus", usual: [])
    try coder.code(&partition, "partition")
    try coder.code(&options, "options", usual: [])
    try coder.codeAlways(&gres, "gres")
    try coder.codeAlways(&limitMilliseconds, "limitMs")
    try coder.code(&graceMilliseconds, "graceMs")
    try coder.code(&bytes, "bytes")
    try coder.code(&inputBytes, "inputBytes")
  }
}

/// `12.1.4096.1`: job, attempt, bytes, whether it has begun.
extension EngineAdoption: FieldRepresentable {
  package var field: String {
    "\(attempt.job).\(attempt.attempt).\(logBytes).\(hasStarted ? 1 : 0)"
  }

  package init(field: String) throws(WireError) {
    let numbers = field.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { UInt64(Substring($0)) }
    guard numbers.count == 4, let job = numbers[0], let attempt = numbers[1],
      let bytes = numbers[2], let started = numbers[3],
      attempt > 0, let number = Int(exactly: attempt)
    else { throw WireError(.badFrame, "\(field.quoted) is not an attempt") }
    self.init(EngineAttempt(JobNumber(job), number), logBytes: bytes, hasStarted: started != 0)
  }
}
