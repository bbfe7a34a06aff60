package import JobCore

/// The settings in `config.json` of one engine, which runs attempts elsewhere.
package struct EngineSettings: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A machine whose processes a helper of ours starts and watches.
    case host
    /// A cluster with Slurm, whose commands a helper of ours calls.
    case slurm
    /// A cluster with another batch system, whose commands are set.
    case batch
    /// Several machines, of which one is chosen for each job.
    case pool
  }

  /// A kind of GPU in a cluster, and its name for `--gres`.
  package struct GPUType: Hashable, Sendable {
    package var memoryBytes: UInt64
    package var gres: String
  }

  package var name: String
  package var kind: Kind
  /// Where its jobs' folders are, absolute; nil = a folder of the helper's machine.
  package var folder: String?
  /// Where its helper runs, as ssh(1) takes it; nil = on this machine.
  package var through: String?
  /// Most attempts that it has at a time.
  package var atMost: Int
  package var partition: String?
  package var account: String?
  /// For the command that submits, before the options of jobrun.
  package var options: [String] = []
  /// The commands of a batch system other than Slurm.
  package var batch: BatchSystem?
  package var gpuTypes: [GPUType] = []
  /// For a shell on the node that becomes the job once this has succeeded; nil = nothing.
  package var before: String?
  /// The command that runs the commands of jobs, such as a container's.
  package var wrap: [String] = []
  /// Variables that are passed through ssh; a name with a final `*` is a prefix.
  package var environment: [String] = []
  /// Of a pool: its machines.
  package var members: [String] = []

  package init(name: String, kind: Kind, folder: String? = nil, atMost: Int) {
    self.name = name
    self.kind = kind
    self.folder = folder
    self.atMost = atMost
  }

  /// The default for a host is small, because its size is unknown; for a cluster, as many as its queue handles
  /// well.
  private static let defaultSlots = 2
  private static let defaultAttempts = 1_000
  /// Each is submitted with a call of its own.
  private static let defaultBatchAttempts = 200
  private static let attemptsLimit = 100_000
  package static let keys =
    [
      "kind", "folder", "through", "slots", "atMost", "partition", "account", "options",
      "gpuTypes", "environment", "before", "wrap", "of",
    ] + BatchSystem.keys

  /// All engines, by name.
  static func all(in fields: ManifestFields) throws(ManifestError) -> [String: EngineSettings] {
    var engines: [String: EngineSettings] = [:]
    var sources: [String: ManifestFields] = [:]
    for (name, engine) in try fields.namedObjects("engines", known: keys) {
      if let problem = EngineName.problem(name) {
        throw fields.problem("engines", "has \(name.quoted), which \(problem)")
      }
      engines[name] = try EngineSettings(name, engine)
      sources[name] = engine
    }
    try checkPools(engines, sources)
    return engines
  }

  private init(_ name: String, _ fields: ManifestFields) throws(ManifestError) {
    guard let kind = try fields.choice("kind", as: Kind.self) else {
      throw fields.problem(
        "kind",
        "is missing; write \"kind\": \"host\", \"kind\": \"slurm\", \"kind\": \"batch\" or \"kind\": \"pool\""
      )
    }
    self.init(name: name, kind: kind, atMost: Self.defaultSlots)
    folder = try fields.text("folder").map { (path) throws(ManifestError) in
      guard path.utf8.first == UInt8(ascii: "/") else {
        throw fields.problem(
          "folder", "names \(path.quoted); an absolute path is needed, which begins with /")
      }
      return path
    }
    through = try fields.text("through").map { (host) throws(ManifestError) in
      let isWord = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "'") }
      guard isWord, !host.isEmpty, host.utf8.first != UInt8(ascii: "-") else {
        throw fields.problem(
          "through", "is \(host.quoted); a host as ssh takes it is needed, like login.example.org")
      }
      return host
    }
    environment = try fields.texts("environment") ?? []
    before = try fields.before()
    wrap = try fields.wrap()
    switch kind {
    case .pool:
      try fields.refuse(Self.keys.filter { $0 != "kind" && $0 != "of" }, ofOthersThan: "pool")
      atMost = 0
      members = try fields.texts("of") ?? []
    case .host:
      try fields.refuse(["of"], of: [.pool])
      try fields.refuse(["account", "gpuTypes"], of: [.slurm])
      try fields.refuse(["atMost", "partition", "options"], of: [.slurm, .batch])
      try fields.refuse(BatchSystem.keys, of: [.batch])
      atMost = try fields.number("slots", in: 1...Limits.slots) ?? Self.defaultSlots
    case .slurm:
      try fields.refuse(["of"], of: [.pool])
      try fields.refuse(BatchSystem.keys, of: [.batch])
      try readQueue(fields, usual: Self.defaultAttempts)
      account = try fields.text("account")
      for option in options {
        if let problem = SlurmOption.problem(option) {
          throw fields.problem("options", "has \(option.quoted), \(problem)")
        }
      }
      for type in try fields.objects("gpuTypes", known: ["memory", "gres"]) ?? [] {
        gpuTypes.append(try GPUType(type))
      }
    case .batch:
      try fields.refuse(["account", "gpuTypes"], of: [.slurm])
      try readQueue(fields, usual: Self.defaultBatchAttempts)
      let system = try BatchSystem(fields)
      if partition != nil, system[.queue].isEmpty {
        throw fields.problem(
          "partition", "needs a template for \"queue\", like \"queue\": \"-q {queue}\"")
      }
      batch = system
    }
  }

  /// The settings of every engine with a queue of its own.
  private mutating func readQueue(_ fields: ManifestFields, usual: Int) throws(ManifestError) {
    try fields.refuse(["slots"], of: [.host])
    guard folder != nil else {
      throw fields.problem(
        "folder",
        "is missing; name one that the nodes see under the same path, like"
          + " \"folder\": \"/home/me/.jobrun\"")
    }
    atMost = try fields.number("atMost", in: 1...Self.attemptsLimit) ?? usual
    partition = try fields.text("partition")
    options = try fields.texts("options") ?? []
  }

  /// The value of `--gres` for a cluster; nil without GPUs, or if the cluster has none of the kind.
  package func gres(for demand: Requirements) -> String? {
    guard demand.gpuCount > 0 else { return nil }
    guard demand.gpuMemoryBytes > 0 else { return "gpu:\(demand.gpuCount)" }
    let large = gpuTypes.filter { $0.memoryBytes >= demand.gpuMemoryBytes }
    return large.min { $0.memoryBytes < $1.memoryBytes }.map { "\($0.gres):\(demand.gpuCount)" }
  }

  /// Whether a variable is passed to a machine with its own environment.
  package func carries(_ variable: String) -> Bool {
    environment.contains { pattern in
      pattern.utf8.last == UInt8(ascii: "*")
        ? variable.utf8.starts(with: pattern.utf8.dropLast()) : variable == pattern
    }
  }
}

extension EngineSettings.GPUType {
  fileprivate init(_ fields: ManifestFields) throws(ManifestError) {
    let memory = try fields.requiredText("memory", example: "\"80G\"")
    gres = try fields.requiredText("gres", example: "\"gpu:h100\"")
    let isWord = gres.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
    guard isWord, gres.utf8.starts(with: "gpu".utf8) else {
      throw fields.problem("gres", "is \(gres.quoted); write it like \"gpu:h100\"")
    }
    do throws(WireError) {
      memoryBytes = try BinarySize.parse(memory)
    } catch {
      throw fields.problem("memory", "cannot be read: " + error.message)
    }
  }
}

extension ManifestFields {
  /// Refuses keys of other kinds.
  fileprivate func refuse(
    _ keys: [String], of kinds: [EngineSettings.Kind]
  ) throws(ManifestError) {
    for key in keys where has(key) {
      let names = NearestName.choice(of: kinds.map { $0.rawValue.quoted })
      throw problem(key, "does not apply to this kind of engine, only to \"kind\": \(names)")
    }
  }

  fileprivate func refuse(_ keys: [String], ofOthersThan kind: String) throws(ManifestError) {
    for key in keys where has(key) {
      throw problem(key, "does not apply to \"kind\": \"\(kind)\"; set it for its members")
    }
  }
}
