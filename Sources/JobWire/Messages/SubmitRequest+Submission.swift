package import JobCore

extension SubmitRequest {
  /// Why it cannot run there; nil when it can.
  package func problem(on engine: EngineSettings) -> WireError? {
    if engine.kind != .slurm, let shape = SlurmShape.first(in: options.requirements) {
      return WireError(
        .unavailable,
        "\(engine.name.quoted) cannot be asked for \(shape.rawValue), only a cluster with Slurm can;"
          + " leave \(shape.rawValue) out of --require")
    }
    if details.movesFiles, [.slurm, .batch].contains(engine.kind) {
      return WireError(
        .unavailable,
        "the nodes of \(engine.name.quoted) share a folder, and no files are sent there or fetched;"
          + " put them into that folder, and leave out --send and --fetch")
    }
    if details.movesFiles, let host = engine.through, host.utf8.contains(UInt8(ascii: ":")) {
      return WireError(
        .unavailable,
        "rsync takes no address like \(host.quoted); give the machine a name in ~/.ssh/config, and"
          + " write that name as \"through\" of \(engine.name.quoted)")
    }
    if details.input == .terminal, engine.kind == .batch {
      return WireError(
        .unavailable,
        "-i does not work on \(engine.name.quoted): its batch system runs nothing beside a job;"
          + " leave out -i, or ask the system itself for a shell, such as qrsh or qsub -I")
    }
    if let sentence = misuse(on: engine) { return WireError(.usage, sentence) }
    return engine.batch?.problem(options.requirements, details.partition, on: engine.name)
      .map { WireError(.unavailable, $0) }
  }

  /// Makes it a request for this machine, where the files of a definition are already.
  ///
  /// - Throws: why it cannot run here.
  package mutating func stayHere() throws(WireError) {
    options.engine = nil
    if filesMayStay { (details.send, details.fetch) = ([], []) }
    if let problemHere { throw problemHere }
  }

  /// Why it cannot run on this machine; nil when it can.
  package var problemHere: WireError? {
    if details.movesFiles {
      return WireError(
        .usage,
        "files are sent and fetched for a job on another machine only; add --on with the engine's name"
      )
    }
    return problemWithoutQueue
  }

  /// Why a machine without a queue of its own cannot run it.
  private var problemWithoutQueue: WireError? {
    guard details.partition != nil || !details.engineOptions.isEmpty else { return nil }
    let what = details.partition == nil ? "options of an engine" : "a partition"
    return WireError(
      .usage, "\(what) can be given to a job on an engine only; add --on with the engine's name")
  }

  private func misuse(on engine: EngineSettings) -> String? {
    let name = engine.name
    let demand = options.requirements
    if demand.network || demand.power {
      let what = demand.network ? "network" : "power"
      return "\(what) is a condition of this machine, and the job runs on \(name.quoted);"
        + " leave out --require \(what), or run it with --on \(EngineName.here)"
    }
    if let need = demand.counted.first(where: { SlurmShape(rawValue: $0.name) == nil }) {
      return "\(need.name) is counted on this machine, and the job runs on \(name.quoted);"
        + " leave it out of --require, or run the job with --on \(EngineName.here)"
    }
    if options.isExclusive, [.slurm, .batch].contains(engine.kind) {
      return "only a job on this machine can run alone, and this one runs on \(name.quoted);"
        + " leave out --exclusive, or run it with --on \(EngineName.here)"
    }
    if details.stdout != nil || details.stderr != nil || details.keepsBackground {
      return
        "files for its output and processes in the background are those of this machine, and the job"
        + " runs on \(name.quoted); leave them out, or run it with --on \(EngineName.here)"
    }
    if [.host, .pool].contains(engine.kind), let problem = problemWithoutQueue {
      return "\(name.quoted) is a \(engine.kind.rawValue): " + problem.message
    }
    if demand.whenIdle, engine.kind != .slurm {
      return "idle is a condition of this machine, and the job runs on \(name.quoted);"
        + " leave out --require idle, or run it with --on \(EngineName.here)"
    }
    if engine.kind == .slurm {
      for option in details.engineOptions {
        if let problem = SlurmOption.problem(option) { return "\(option.quoted), \(problem)" }
      }
      if demand.gpuMemoryBytes > 0, engine.gres(for: demand) == nil {
        let memory = BinarySize.formatExactly(demand.gpuMemoryBytes)
        return "\(name.quoted) has no GPU of \(memory) in its \"gpuTypes\"; name its kinds there,"
          + " like {\"memory\": \"80G\", \"gres\": \"gpu:h100\"}"
      }
    }
    switch details.input {
    case .none, .terminal: return nil
    case .copied(let bytes) where bytes <= Limits.travellingInputBytes: return nil
    case .copied(let bytes):
      return "\(bytes) bytes are too many to go to \(name.quoted) as its standard input;"
        + " \(Limits.travellingInputBytes) is the limit: put them into a file there"
    case .passed, .file:
      return "a job on \(name.quoted) reads a copy of its standard input, and none was made;"
        + " write --stdin none, or run it with --on \(EngineName.here)"
    }
  }

  /// The core's part of the request.
  ///
  /// - Throws: `usage`, with a sentence about the first error.
  package func submission() throws(WireError) -> Submission {
    try SubmitRequest.checkMark(key, name: "key")
    if let host { try SubmitRequest.checkMark(host, name: "host") }
    guard let identifier = JobIdentifier(identifier) else {
      throw WireError(.usage, JobIdentifier.problem(in: self.identifier) ?? "malformed identifier")
    }
    try SubmitRequest.checkTitle(title)
    try SubmitRequest.checkShown(subtitle, name: "subtitle")
    if isHeld, options.strategy == .fail {
      throw WireError(
        .usage, "the job cannot be held and also start now or never; leave one of them out")
    }
    try options.check()
    let others = after.count + afterAny.count + afterOne.count
    guard others <= Limits.prerequisites else {
      throw WireError(
        .usage, "the job is to come after \(others) others; \(Limits.prerequisites) is the limit")
    }
    try details.check()
    if details.input == .terminal, options.observation.terminal == nil {
      throw WireError(.usage, "a job that reads its terminal needs the size of that terminal")
    }
    if let warn = details.warnMilliseconds {
      guard let limit = options.limit?.milliseconds ?? options.kind.defaultLimit?.milliseconds,
        warn < limit
      else {
        throw WireError(
          .usage,
          "a warning of the limit must come before it; give the job a longer limit (--limit)")
      }
    }
    var submission = Submission(key: key, identifier: identifier, options: options)
    submission.options.limit = options.limit ?? options.kind.defaultLimit
    if options.kind == .push {
      // A push is delivered at most once.
      (submission.options.resumable, submission.options.retries) = (false, 0)
    }
    submission.bundle = try checkedBundle(of: identifier)
    submission.after = Prerequisite.list(after: after, afterAny: afterAny, afterOne: afterOne)
    submission.notBefore = notBefore
    submission.isHeld = isHeld
    submission.isHosted = host != nil
    return submission
  }

  static func checkTitle(_ title: String) throws(WireError) {
    try checkShown(title, name: "title")
    if title.isEmpty { throw WireError(.usage, "the title is empty; say what the job does") }
  }

  /// Throws `usage` when a title or subtitle is too long for the page or would act on a terminal.
  package static func checkShown(_ text: String, name: String) throws(WireError) {
    let length = text.utf8.count
    guard length <= Limits.titleBytes else {
      throw WireError(
        .usage, "the \(name) has \(length) bytes; \(Limits.titleBytes) is the limit")
    }
    guard let control = text.unicodeScalars.first(where: { $0.isControl }) else { return }
    throw WireError(
      .usage,
      "the \(name) contains the control character U+\(control.hexadecimal);"
        + " only printable characters are shown")
  }

  /// The bundle that the limits of pending requests count for.
  private func checkedBundle(of identifier: JobIdentifier) throws(WireError) -> JobIdentifier? {
    guard let text = bundle else {
      guard options.kind.isScheduled else { return nil }
      throw WireError(
        .usage, "a \(options.kind.rawValue) request must name its bundle; \(identifier) does not")
    }
    guard let bundle = JobIdentifier(text) else {
      throw WireError(.usage, JobIdentifier.problem(in: text) ?? "malformed bundle identifier")
    }
    guard isListed || identifier.isUnder(bundle) else {
      throw WireError(
        .notPermitted, "\(identifier) is outside its bundle \(bundle); it must begin with that")
    }
    return bundle
  }

  /// Throws `usage` when a random mark is too short to be one of a kind, or holds other characters.
  static func checkMark(_ mark: String, name: String) throws(WireError) {
    let lengths = Limits.minimumKeyBytes...Limits.keyBytesMost
    guard lengths.contains(mark.utf8.count), mark.utf8.allSatisfy({ $0.isLetterOrDigit }) else {
      throw WireError(
        .usage,
        "the \(name) must be \(lengths.lowerBound) to \(lengths.upperBound) letters and digits")
    }
  }
}

extension Unicode.Scalar {
  /// C0, DEL and C1 controls, and the line and paragraph separators: characters that move a terminal's cursor.
  fileprivate var isControl: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }

  fileprivate var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
