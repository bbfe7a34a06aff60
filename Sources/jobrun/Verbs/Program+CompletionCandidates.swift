import JobClient
import JobCore
import JobWire

// The words that may complete a command line.
extension Program {
  /// Ended jobs that are offered, the latest first.
  private static let endedOffered = 50

  func candidates(_ request: CompletionRequest) -> [Candidate] {
    switch request.wanted {
    case .verbs: Verb.all.map { ($0.name.rawValue, $0.summary) }
    case .flags(let flags): flags.map { ($0.spelling, $0.summary) }
    case .requirements: Self.requirements
    case .argumentFlags(let name): argumentFlags(of: name, request)
    case .source(let source): candidates(source, request)
    case .command, .nothing: []
    }
  }

  private func candidates(_ source: Source, _ request: CompletionRequest) -> [Candidate] {
    switch source {
    case .words(let words): words.map { ($0, "") }
    case .verbs: Verb.all.map { ($0.name.rawValue, $0.summary) }
    case .topics:
      Verb.all.map { ($0.name.rawValue, $0.summary) }
        + [
          (Help.verbsTopic, "every verb in a line"), (Help.topicsTopic, "the pages of the manual"),
        ]
        + ((try? manual().titles) ?? []).map { ($0.name, $0.title) } + definitions(request)
    case .definitions: definitions(request)
    case .bundles: bundles(request).map { ($0.identifier.text, $0.name) }
    case .engines: engines()
    case .groups: groups()
    case .job(let which): jobs(which)
    case .jobs(let which):
      jobs(which)
        + Set(known(which).compactMap { $0.terms.group }).sorted().map { ("group:\($0)", "") }
    case .titles: Set(known(.all).map { $0.title }).sorted().map { ($0, "") }
    case .folders, .files, .free: []
    }
  }

  private static let requirements: [Candidate] = [
    ("gpu", "a GPU"), ("gpu=", "this many GPUs"), ("gpu-memory=", "memory of a GPU, such as 8G"),
    ("cpu=", "this many processors, reserved"), ("memory=", "memory, as 4G"),
    ("disk=", "free disk, as 10G"),
    ("network", "a network connection"), ("power", "external power"),
    ("idle", "screen and keyboard are idle"),
  ]

  private func definitions(_ request: CompletionRequest) -> [Candidate] {
    known(request).map { definition in
      let summary = definition.manifest.guide.summary
      let title = definition.manifest.title ?? definition.manifest.pattern.text
      return (definition.name, summary.isEmpty ? title : summary)
    }
  }

  /// The flags that a definition's `usage` shows.
  private func argumentFlags(of name: String, _ request: CompletionRequest) -> [Candidate] {
    let definition = known(request).first { $0.name == name }
    return (definition?.manifest.guide.flags ?? []).map { ($0, "") } + [("--help", "")]
  }

  private func known(_ request: CompletionRequest) -> [Definition] {
    found(request).flatMap { $0.definitions }
  }

  private func bundles(_ request: CompletionRequest) -> [BundleManifest] {
    found(request).map { $0.manifest }
  }

  private func engines() -> [Candidate] {
    let paths = try? surroundings.paths()
    let known = paths.flatMap { try? surroundings.configuration($0).engines.values }
    return [(EngineName.here, "this machine")]
      + (known ?? [:].values).map { ($0.name, $0.through ?? $0.kind.rawValue) }
  }

  private func groups() -> [Candidate] {
    guard let link = try? link() else { return [] }
    var names = Set(
      ((try? surroundings.configuration(link.paths))?.groups ?? [:]).keys.map { $0.text })
    if link.connectIfRunning() {
      names.formUnion(((try? jobs(all: false, on: link)) ?? []).compactMap { $0.terms.group })
    }
    return names.sorted().map { ($0, "") }
  }

  private func found(_ request: CompletionRequest) -> [Bundle] {
    // Errors are reported when the command is executed, not while it is typed.
    guard let paths = try? surroundings.paths(), let directory = try? surroundings.directory()
    else { return [] }
    let search = try? surroundings.search(flag: request.jobs, directory: directory, paths: paths)
    return search?.readAll().bundles ?? []
  }

  /// Only from a runner that is there: a key must not start one.
  private func known(_ which: Source.Jobs) -> [JobStatus] {
    guard let link = try? link(), link.connectIfRunning() else { return [] }
    var jobs: [JobStatus] = []
    if which != .ended { jobs = (try? self.jobs(all: false, on: link)) ?? [] }
    if which == .ended || which == .all {
      var query = HistoryQuery()
      query.limit = Self.endedOffered
      _ = try? link.history(query) { jobs.append($0) }
    }
    return jobs.filter(which.includes)
  }

  private func jobs(_ which: Source.Jobs) -> [Candidate] {
    known(which).map { job in
      ("\(job.number)", "\(job.title) (\(job.outcome?.rawValue ?? job.state.rawValue))")
    }
  }
}

extension Source.Jobs {
  fileprivate func includes(_ job: JobStatus) -> Bool {
    switch self {
    case .live, .ended, .all: true
    case .waiting: job.state == .queued
    case .held: job.pendingReason?.code == .held
    case .running: job.state == .running || job.state == .stalled
    case .paused: job.state == .paused
    case .asking: job.state == .stalled
    }
  }
}
