import JobCore
import JobPage
import JobRecognition
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Checks a submission and sends it to the core, once the machine's facts are fresh enough.
  func submit(
    _ request: SubmitRequest, _ arrival: Client.Arrival, origin: RequestOrigin, client: Client
  ) throws(WireError) {
    try check(arrival)
    var request = request
    try choose(&request)
    let specification =
      request.host == nil ? try specification(arrival.attachment, of: &request) : []
    request.details.pushes = request.options.kind == .push ? 1 : 0
    var submission = try request.submission()
    bound(&submission.options.priority, of: submission.bundle)
    request.options.priority = submission.options.priority
    try submission.options.observation.check()
    if let earlier = try stored(key: submission.key) {
      let response = Response.submitted(earlier, kept: false, duplicate: true)
      return send(.ok(id: origin.id, response), to: client)
    }
    try lookup.checkExist(submission.after)
    try server.check(request.details.input, arrival.input, waiting: local.inputCount)
    let host = try request.host.map { mark throws(WireError) in
      try hosted.hosts.process(mark, of: client).host
    }
    if host == nil { try local.checkLaunching() }
    try checkRoom(for: specification.count)
    let tag = tag(for: origin)
    var job = LiveJob(request, submission)
    job.host = host
    runtime.drafts[tag] = Draft(job, specification: specification)
    if request.details.input == .passed, let input = arrival.input {
      local.expect(input, under: tag)
    }
    if submission.options.kind.isScheduled { tellEnergy() }
    if submission.options.requirements.whenIdle { tellPresence() }
    if submission.options.kind == .push { pushes.expect(tag, submission.identifier) }
    if submission.notBefore != nil { tellTimeOfDay() }
    ask(.submit(tag, submission), tag, for: submission.options)
  }

  /// Limits the priority to the bundle's highest allowed one.
  func bound(_ priority: inout Submission.Priority, of bundle: JobIdentifier?) {
    let most = bundle.flatMap { configuration.bundleSettings[$0]?.priority }
    priority = max(priority, most ?? .high)
  }

  /// Chooses the engine: the requested one, otherwise the configured one; options that the engine cannot
  /// provide are refused.
  func choose(_ request: inout SubmitRequest) throws(WireError) {
    let asked = request.options.engine
    guard request.host == nil, let name = asked ?? configuration.on, name != EngineName.here else {
      return try request.stayHere()
    }
    guard let engine = configuration.engines[name] else {
      throw WireError(
        .usage, EngineName.unknown(name, among: Array(configuration.engines.keys)))
    }
    // If the engine came from the default setting, fall back to this machine.
    if let problem = request.problem(on: engine) {
      var local = request
      guard asked == nil, (try? local.stayHere()) != nil else { throw problem }
      request = local
      return
    }
    request.options.engine = name
  }

  /// Checks that the data beside the line is complete.
  func check(_ arrival: Client.Arrival) throws(WireError) {
    guard arrival.isIncomplete else { return }
    throw WireError(
      .cannotCreate,
      "the runner has as many files open as it may (ulimit -n); submit the job again later")
  }

  /// Checks the memory for this many more bytes of submissions under way.
  func checkRoom(for bytes: Int) throws(WireError) {
    guard runtime.drafts.bytes > 0, runtime.drafts.bytes + bytes > Limits.submittedBytes else {
      return
    }
    throw WireError(
      .cannotCreate,
      "too many submissions are waiting for a look at the machine; submit again later")
  }

  /// Sends an event to the core, once the machine's facts are fresh enough for the jobs in it.
  ///
  /// A job that starts now or never is decided once, so its facts are measured after it was submitted.
  func ask(_ event: Event, _ tag: RequestTag, for options: Submission.Options) {
    if core.choosesMachine(for: options) { return askOnceKnown(event, options) }
    let isOnce = options.strategy == .fail
    guard !options.demandHere.isEmpty, isOnce || !machine.isFresh else { return ask(event) }
    askWithFacts(event, tag, fromNow: isOnce)
  }

  /// The launch specification that came beside the line; its public part is added to the request.
  func specification(
    _ attachment: [UInt8]?, of request: inout SubmitRequest
  ) throws(WireError) -> [UInt8] {
    guard let bytes = attachment else {
      throw WireError(
        .badFrame, "the submission came without a readable descriptor of the command")
    }
    do throws(JobPageError) {
      let specification = try LaunchSpecification(decoding: bytes)
      notifier.learn(from: specification.environment)
      request.details.learn(
        from: specification, request.options.engine == nil ? local.context.terms : nil)
    } catch {
      throw WireError(.badFrame, "the command cannot be read: \(error)")
    }
    return bytes
  }

  /// The job that was accepted under this key by an earlier request whose answer got lost.
  private func stored(key: String) throws(WireError) -> JobStatus? {
    do throws(JournalRefusal) {
      guard let number = try runtime.job(withKey: key, by: storage.journal) else { return nil }
      return lookup.object(of: number) ?? lookup.stored(number)
    } catch {
      throw WireError(.cannotCreate, error.message)
    }
  }
}

extension Observation {
  /// Refuses a pattern of progress that cannot be used.
  func check() throws(WireError) {
    guard case .pattern(let text) = recognition else { return }
    let pattern: LinePattern
    do throws(LinePattern.Problem) {
      pattern = try LinePattern(text)
    } catch {
      throw WireError(
        .usage, "the progress pattern \(text.quoted) cannot be used: \(error.reason)")
    }
    guard (1...2).contains(pattern.groupCount) else {
      throw WireError(
        .usage,
        "the progress pattern \(text.quoted) has \(pattern.groupCount) groups;"
          + " write one group for a percentage, or two for how many of how many")
    }
  }
}
