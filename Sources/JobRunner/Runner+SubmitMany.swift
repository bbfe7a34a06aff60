import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Checks many jobs in one submission and hands them to the core: all of them become jobs, or none.
  func submit(
    _ many: ManyRequest, _ arrival: Client.Arrival, origin: RequestOrigin, client: Client
  ) throws(WireError) {
    try check(arrival)
    var many = many
    try choose(&many.job)
    var request = many.job
    var batch = try many.batch()
    bound(&batch.stem.options.priority, of: batch.stem.bundle)
    request.options.priority = batch.stem.options.priority
    try batch.stem.options.observation.check()
    let bytes = try specification(arrival.attachment, of: &request)
    if let earlier = try storedBatch(key: request.key) {
      let response = Response.submittedMany(
        first: earlier.first, count: earlier.count, duplicate: true)
      return send(.ok(id: origin.id, response), to: client)
    }
    for prerequisite in batch.stem.after { try lookup.checkExists(prerequisite.number) }
    try local.checkLaunching()
    let inputs = try inputs(of: many, arrival.input)
    try checkRoom(for: bytes.count + inputs.bytes.count)
    let template = try template(bytes)
    let tag = tag(for: origin)
    runtime.drafts[batch: tag] = BatchDraft(
      request, batch, template, inputs, specification: bytes)
    if batch.stem.notBefore != nil { tellTimeOfDay() }
    ask(.batch(tag, batch), tag, needing: batch.stem.options.demandHere)
  }

  /// The command with its places.
  private func template(_ specification: [UInt8]) throws(WireError) -> CommandTemplate {
    do throws(JobPageError) {
      return CommandTemplate(try LaunchSpecification(decoding: specification).arguments)
    } catch {
      throw WireError(.badFrame, "what to execute cannot be read: \(error)")
    }
  }

  /// The inputs that came beside the specification.
  private func inputs(
    of many: ManyRequest, _ passed: PassedInput?
  ) throws(WireError) -> InputLists {
    guard let passed else {
      throw WireError(.badFrame, "the submission came without a descriptor of the jobs' inputs")
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try MemoryFile.content(of: passed.descriptor, limit: Limits.inputBytes)
    } catch {
      throw WireError(.badFrame, "the jobs' inputs cannot be read: \(error)")
    }
    return try InputLists(bytes, count: many.count, width: many.width)
  }

  /// The jobs that were accepted under this key by an earlier request whose answer got lost.
  private func storedBatch(
    key: String
  ) throws(WireError) -> (first: JobNumber, count: Int)? {
    do throws(JournalRefusal) {
      return try storage.journal.batch(withKey: key)
    } catch {
      throw WireError(.cannotCreate, error.message)
    }
  }
}
