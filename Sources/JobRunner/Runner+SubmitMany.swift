import JobCore
import JobPage
import JobRuntime
import JobStore
import JobWire
import LinuxSystem

extension Runner {
  /// Checks a batch of jobs and sends it to the core: all of them become jobs, or none.
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
    try lookup.checkExist(batch.stem.after)
    try local.checkLaunching()
    let passed = try inputBytes(arrival.input)
    try checkRoom(for: bytes.count + passed.count)
    let template = try template(bytes)
    let draft: BatchDraft
    if many.isMixed {
      let jobs = try MixedJob.all(in: passed, count: many.count)
      batch.members = jobs.map(\.member)
      draft = BatchDraft(request, batch, jobs, specification: bytes)
    } else {
      let inputs = try PackedInputs(passed, count: many.count, width: many.width)
      draft = BatchDraft(request, batch, template, inputs, specification: bytes)
    }
    let tag = tag(for: origin)
    runtime.drafts[batch: tag] = draft
    if batch.stem.notBefore != nil { tellTimeOfDay() }
    let demanding = batch.members.lazy.map(\.options).first { !$0.requirements.isEmpty }
    ask(.batch(tag, batch), tag, for: demanding ?? batch.stem.options)
  }

  /// The command with its places.
  private func template(_ specification: [UInt8]) throws(WireError) -> CommandTemplate {
    do throws(JobPageError) {
      return CommandTemplate(try LaunchSpecification(decoding: specification).arguments)
    } catch {
      throw WireError(.badFrame, "the command cannot be read: \(error)")
    }
  }

  /// The inputs of the batch, which came beside the specification.
  private func inputBytes(_ passed: PassedInput?) throws(WireError) -> [UInt8] {
    guard let passed else {
      throw WireError(.badFrame, "the submission came without a descriptor of the jobs' inputs")
    }
    do throws(SystemError) {
      return try MemoryFile.content(of: passed.descriptor, limit: Limits.inputBytes)
    } catch {
      throw WireError(.badFrame, "the jobs' inputs cannot be read: \(error)")
    }
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
