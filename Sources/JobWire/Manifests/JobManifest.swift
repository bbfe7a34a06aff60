package import JobCore

/// `job.json`: one definition, all that is registered about a kind of job.
package struct JobManifest: Hashable, Sendable {
  /// The registered identifiers: `io.jobrun.samples.export.*`, or one identifier.
  package var pattern: IdentifierPattern
  /// Nil = set by the submitter, or the definition's name.
  package var title: String?
  package var subtitle = ""
  /// Never empty; the first is a program beside the manifest, in the job folder, or on PATH.
  package var command: [String]
  /// The default options of its submissions.
  package var options: Submission.Options
  /// The largest log, in bytes; nil = the setting.
  package var logLimit: UInt64?
  package var guide = JobGuide()
  /// The command that builds the executable, run in the definition's folder before a submission when the
  /// executable is missing or older than its sources; empty = no build.
  package var build: [String] = []
  /// For a shell that becomes the job once this has succeeded; nil = nothing.
  package var before: String?
  /// The command that runs its command, such as a container's; empty = none.
  package var wrap: [String] = []
  /// What is copied to its machine before each attempt, and from there after a success, as `SentPath` has it.
  package var send: [String] = []
  package var fetch: [String] = []
  /// The source of its pushes: an address of server-sent events; nil = only `jobrun push`.
  package var subscription: String?

  package init(pattern: IdentifierPattern, command: [String]) {
    self.pattern = pattern
    self.command = command
    options = Submission.Options(speaksPage: true)
    options.silentAfter = Submission.Options.defaultSilence
  }

  package static let keys = [
    "identifier", "title", "subtitle", "command", "requires", "stallAfter", "silentAfter", "grace",
    "limit", "resumable", "retries", "kind", "priority", "on", "logLimit", "about", "usage",
    "arguments",
    "build", "subscribe", "whenIdle", "before", "wrap", "send", "fetch",
  ]

  /// Reads the file's bytes; comments are allowed.
  ///
  /// `file`: its path, for the sentence about a mistake.
  /// `bundle`: whose identifier this one must be under.
  package static func parse(
    _ bytes: [UInt8], file: String, bundle: BundleManifest
  ) throws(ManifestError) -> JobManifest {
    let fields = try ManifestFields(bytes, file: file, known: keys)
    var manifest = JobManifest(
      pattern: try fields.pattern(under: bundle), command: try fields.command())
    manifest.title = try fields.shown("title")
    manifest.subtitle = try fields.shown("subtitle") ?? ""
    manifest.options.requirements = try fields.requirements()
    if let whenIdle = try fields.flag("whenIdle") {
      manifest.options.requirements.whenIdle = whenIdle
    }
    manifest.options.stallAfter =
      try fields.positiveDuration("stallAfter") ?? manifest.options.stallAfter
    manifest.options.kind = try fields.choice("kind", as: Submission.Kind.self) ?? .continued
    // No limit: background jobs need not report, and have a time limit.
    if manifest.options.kind.isScheduled { manifest.options.silentAfter = nil }
    manifest.options.silentAfter = try fields.silence(usually: manifest.options.silentAfter)
    manifest.options.grace = try fields.duration("grace") ?? manifest.options.grace
    manifest.options.limit = try fields.positiveDuration("limit")
    manifest.options.resumable = try fields.flag("resumable") ?? false
    manifest.options.retries = try fields.number("retries", in: 0...Limits.retries) ?? 0
    manifest.options.priority =
      try fields.choice("priority", as: Submission.Priority.self)
      ?? (manifest.options.kind == .push ? .low : .normal)
    manifest.options.engine = try fields.text("on")
    manifest.logLimit = try fields.logLimit()
    manifest.guide = try fields.guide()
    manifest.build = try fields.build()
    manifest.before = try fields.before()
    manifest.wrap = try fields.wrap()
    manifest.send = try fields.sentPaths("send")
    manifest.fetch = try fields.sentPaths("fetch")
    manifest.subscription = try fields.subscription(of: manifest.options.kind)
    return manifest
  }
}

extension ManifestFields {
  fileprivate func pattern(under bundle: BundleManifest) throws(ManifestError) -> IdentifierPattern
  {
    let example = "\(bundle.identifier).name.*"
    let text = try requiredText("identifier", example: "\"\(example)\"")
    guard let pattern = IdentifierPattern(text) else {
      let reason = IdentifierPattern.problem(in: text) ?? "it is malformed"
      throw problem("identifier", "is malformed: \(reason)")
    }
    guard pattern.prefix.isUnder(bundle.identifier) else {
      throw problem(
        "identifier",
        "is \(text.quoted), which is not under the bundle's identifier \(bundle.identifier);"
          + " write something like \(example)")
    }
    return pattern
  }

  fileprivate func command() throws(ManifestError) -> [String] {
    guard let command = try words("command") else {
      throw problem(
        "command", "is missing or empty; name the program, as in \"command\": [\"./export.sh\"]")
    }
    return command
  }

  /// `"send"` and `"fetch"`: paths below the folder of each job.
  fileprivate func sentPaths(_ key: String) throws(ManifestError) -> [String] {
    try (texts(key) ?? []).map { (text) throws(ManifestError) in
      guard !text.hasPrefix("/"), !text.utf8.contains(0),
        let path = SentPath.relative(text, to: "/")
      else {
        throw problem(
          key, "has \(text.quoted); a path below the job's folder is needed, like \"data\"")
      }
      return path
    }
  }

  fileprivate func build() throws(ManifestError) -> [String] { try words("build") ?? [] }

  fileprivate func subscription(of kind: Submission.Kind) throws(ManifestError) -> String? {
    guard let address = try text("subscribe") else { return nil }
    guard kind == .push else {
      throw problem("subscribe", "is for jobs of \"kind\": \"push\"")
    }
    let hasScheme = ["https://", "http://"].contains { address.hasPrefix($0) }
    let isClean = address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    guard hasScheme, isClean, address.utf8.count <= Limits.addressBytes,
      let first = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
        .first,
      !first.isEmpty
    else {
      throw problem(
        "subscribe",
        "is \(AddressLogin.hidden(in: address).quoted); it must be an address like"
          + " \"https://example.org/events\"")
    }
    return address
  }

  /// `"before"`: a command for a shell.
  func before() throws(ManifestError) -> String? {
    let command = try text("before")
    if let problem = command.flatMap(EndCommandSettings.problem) {
      throw self.problem("before", problem)
    }
    return command
  }

  /// `"wrap"`: a command that runs another.
  func wrap() throws(ManifestError) -> [String] { try words("wrap") ?? [] }

  /// A program and its arguments; nil when the key is missing.
  private func words(_ key: String) throws(ManifestError) -> [String]? {
    guard let words = try texts(key), let program = words.first else { return nil }
    guard !program.isEmpty else { throw problem(key, "begins with an empty program name") }
    guard words.count <= Limits.commandArguments else {
      throw problem(key, "has \(words.count) words; \(Limits.commandArguments) is the limit")
    }
    guard !words.contains(where: { $0.utf8.contains(0) }) else {
      throw problem(key, "contains a NUL character, which no argument can hold")
    }
    return words
  }

  fileprivate func shown(_ key: String) throws(ManifestError) -> String? {
    guard let text = try text(key) else { return nil }
    do throws(WireError) {
      try SubmitRequest.checkShown(text, name: key)
    } catch {
      throw problem(key, "cannot be used: \(error.message)")
    }
    return text
  }

  fileprivate func requirements() throws(ManifestError) -> Requirements {
    var requirements = Requirements()
    for text in try texts("requires") ?? [] {
      do throws(WireError) {
        try RequirementText.apply(text, to: &requirements)
      } catch {
        throw problem("requires", "cannot be read: \(error.message)")
      }
    }
    return requirements
  }

  /// A duration above zero.
  fileprivate func positiveDuration(_ key: String) throws(ManifestError) -> Interval? {
    let span = try duration(key)
    guard span?.milliseconds != 0 else {
      throw problem(key, "must not be zero; 1ms is the shortest")
    }
    return span
  }

  /// `never` and null turn the rule off.
  fileprivate func silence(usually usual: Interval?) throws(ManifestError) -> Interval? {
    if isNull("silentAfter") { return nil }
    // A value that is not a string is reported by `positiveDuration`.
    if case .some("never") = try? text("silentAfter") { return nil }
    return try positiveDuration("silentAfter") ?? usual
  }
}
