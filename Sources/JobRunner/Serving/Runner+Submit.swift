import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

/// What belongs to a submission on its way beside the job that it is to become.
struct Luggage {
  /// What the job is to read, where that was passed on.
  var input: PassedInput?
  /// The recurring job whose next run it is; nil = somebody asks for it.
  var successorOf: JobNumber?
}

extension Runner {
  /// Checks a submission and hands it to the core, once what it needs is known of the machine.
  func submit(
    _ request: SubmitRequest, _ arrival: Client.Arrival, asker: RequestOrigin, client: Client
  ) throws(WireError) {
    guard !arrival.isIncomplete else {
      throw WireError(
        .cannotCreate,
        "the runner has as many files open as it may (ulimit -n); submit the job again later")
    }
    var request = request
    let specification =
      request.host == nil ? try specification(arrival.enclosure, of: &request) : []
    let submission = try request.submission()
    try Self.check(submission.observation)
    if let earlier = try stored(key: submission.key) {
      let response = Response.submitted(earlier, kept: false, duplicate: true)
      return send(.ok(id: asker.id, response), to: client)
    }
    for prerequisite in submission.after { try checkExists(prerequisite.number) }
    try check(request.details.input, arrival.input)
    let host = try request.host.map { mark throws(WireError) in
      try hosts.process(mark, of: client).host
    }
    if host == nil { try checkLaunching() }
    guard runtime.drafts.bytes + specification.count <= Limits.submittedBytes else {
      throw WireError(
        .cannotCreate, "too many submissions wait until the machine was looked at; submit it again")
    }
    let tag = tag(for: asker)
    var job = LiveJob(request, submission)
    job.host = host
    runtime.drafts[tag] = Draft(job, specification: specification)
    if request.details.input == .passed, let input = arrival.input {
      luggage[tag] = Luggage(input: input)
    }
    if submission.notBefore != nil { tellTimeOfDay() }
    let event = Event.submit(tag, submission)
    if submission.requirements.isEmpty || machine.isFresh {
      ask(event)
    } else {
      askWithFacts(event, tag)
    }
  }

  private func checkExists(_ number: JobNumber) throws(WireError) {
    guard cards[number] == nil, stored(number) == nil else { return }
    throw unknown(number)
  }

  /// The launch specification that came beside the line; the request learns what others may see of it.
  private func specification(
    _ enclosure: [UInt8]?, of request: inout SubmitRequest
  ) throws(WireError) -> [UInt8] {
    guard let bytes = enclosure else {
      throw WireError(
        .badFrame, "the submission came without a readable descriptor of what to execute")
    }
    do throws(JobPageError) {
      let specification = try LaunchSpecification(decoding: bytes)
      notifier.learn(from: specification.environment)
      request.details.learn(from: specification)
    } catch {
      throw WireError(.badFrame, "what to execute cannot be read: \(error)")
    }
    return bytes
  }

  /// The job that was accepted under this key by an earlier request whose answer got lost.
  private func stored(key: String) throws(WireError) -> JobStatus? {
    do throws(JournalRefusal) {
      guard let number = try runtime.job(withKey: key, by: journal) else { return nil }
      return object(of: number) ?? stored(number)
    } catch {
      throw WireError(.internal, error.message)
    }
  }
}
