import JobClient
import JobCore
import JobWire

/// Makes the request of a submission from a definition's settings and the flags on top.
enum Submitter {
  /// Names `jobrun run`'s jobs.
  static let commandPrefix = "io.jobrun.run"

  /// A submission of a definition.
  static func request(
    for found: DefinitionSet.Resolution, _ invocation: Invocation
  ) throws(WireError) -> SubmitRequest {
    var request = found.definition.submitRequest(key: FreshName.key(), identifier: found.identifier)
    try apply(invocation, to: &request)
    try found.definition.checkCapabilities(for: request.options.requirements)
    return request
  }

  /// A submission of a plain command.
  ///
  /// It is not silent unless that was asked for, and judged by its exit code. `terminal` is the size of
  /// the person's own, which `--pty` takes over.
  static func request(
    forCommand invocation: Invocation, terminal: Observation.TerminalSize? = nil
  ) throws(WireError) -> SubmitRequest {
    // `joined` takes a process that has just started as long as reading the whole command line.
    let shown = invocation.isSet(.hideCommand) ? 1 : invocation.arguments.count
    let words = invocation.arguments.prefix(shown).reduce(into: "") { words, argument in
      words += words.isEmpty ? "" : " "
      words += SafeText.shown(argument.text)
    }
    var request = SubmitRequest(
      key: FreshName.key(), identifier: "\(commandPrefix).\(FreshName.suffix())",
      title: words.start(bytes: Limits.titleBytes), speaksPage: false)
    try apply(invocation, to: &request)
    request.options.observation.recognition = recognition(invocation.text(.progress))
    // Progress that is only recognised may rest for long: nobody is asked unless they want to be.
    request.options.observation.canStall =
      invocation.values[.stallAfter] != nil || invocation.values[.onStall] != nil
    if invocation.isSet(.pty) { request.options.observation.terminal = terminal ?? .usual }
    return request
  }

  private static func recognition(_ word: String?) -> Observation.Recognition {
    switch word {
    case nil, "auto", "make": .auto
    case "none": .none
    case .some(let pattern): .pattern(pattern)
    }
  }

  private static func command(_ invocation: Invocation) throws(WireError) -> String? {
    guard let command = invocation.text(.onEnd) else { return nil }
    if let problem = EndCommandSettings.problem(in: command) {
      throw WireError(.usage, "\(Flag.onEnd.spelling) \(problem)")
    }
    return command
  }

  /// `3`, or `3:10s`.
  private static func retries(
    _ text: String
  ) throws(WireError) -> (count: Int, delay: Span?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let count = Int(first), (0...Limits.retries).contains(count)
    else {
      throw WireError(
        .usage,
        "\(Flag.retries.spelling) is \(text.quoted); it must be a number from 0 to"
          + " \(Limits.retries), optionally followed by a delay, as in 3:10s")
    }
    guard parts.count == 2 else { return (count, nil) }
    do throws(WireError) {
      return (count, try DurationText.parse(String(parts[1])))
    } catch {
      throw WireError(error.code, "\(Flag.retries.spelling): \(error.message)")
    }
  }

  private static func apply(
    _ invocation: Invocation, to request: inout SubmitRequest
  ) throws(WireError) {
    if let title = invocation.text(.title) { request.title = title }
    if let subtitle = invocation.text(.subtitle) { request.subtitle = subtitle }
    request.details.onEnd = try command(invocation)
    if let text = invocation.text(.retries) {
      (request.options.retries, request.options.retryDelay) = try retries(text)
    }
    request.details.hidesCommand = invocation.isSet(.hideCommand)
    if let strategy: Submission.Strategy = invocation.choice(.strategy) {
      request.options.strategy = strategy
    }
    if let ifExists: Submission.IfExists = invocation.choice(.ifExists) {
      request.options.ifExists = ifExists
    }
    if let onStall: Submission.OnStall = invocation.choice(.onStall) {
      request.options.onStall = onStall
    }
    if let asked = invocation.requirements(.require) { request.options.requirements.add(asked) }
    if let span = invocation.duration(.stallAfter) { request.options.stallAfter = span }
    if let span = invocation.duration(.grace) { request.options.grace = span }
    if let span = invocation.duration(.limit) { request.options.limit = span }
    if let span = invocation.duration(.silentAfter) { request.options.silentAfter = span }
    if invocation.values[.silentAfter] == .never { request.options.silentAfter = nil }
    for flag in [Flag.earliest, .notBefore] where !invocation.isSet(.every) {
      guard let text = invocation.text(flag) else { continue }
      request.notBefore = try TimeText.parse(text, now: Moment.present.wall, flag: flag)
    }
  }
}

extension Requirements {
  /// What was asked for beside these; a number that is given replaces the one that was there.
  fileprivate mutating func add(_ other: Requirements) {
    if other.gpuCount > 0 { gpuCount = other.gpuCount }
    if other.gpuMemoryBytes > 0 { gpuMemoryBytes = other.gpuMemoryBytes }
    if other.processors > 0 { processors = other.processors }
    if other.memoryBytes > 0 { memoryBytes = other.memoryBytes }
    if other.diskBytes > 0 { diskBytes = other.diskBytes }
    network = network || other.network
    power = power || other.power
  }
}

extension String {
  /// As many whole characters from the start as fit.
  fileprivate func start(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var start = ""
    for character in self {
      guard start.utf8.count + character.utf8.count <= limit else { break }
      start.append(character)
    }
    return start
  }
}
