import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

// What jobs read. A pipe can be read once, and no later runner has it: a job that would find it gone
// does not start, as it would succeed with nothing.
extension LocalExecutor {
  /// How many jobs wait with a pipe to read.
  var inputCount: Int { inputs.count }

  /// A submission that is on its way under this tag came with what its job is to read.
  func expect(_ input: PassedInput, under tag: RequestTag) { expected[tag] = input }

  /// Nothing came of the submission under this tag, or what came of it has its input.
  func dropInput(under tag: RequestTag) { expected[tag] = nil }

  /// The submission under this tag has become a job.
  func adoptInput(under tag: RequestTag, for number: JobNumber) {
    if let input = expected.removeValue(forKey: tag) { inputs[number] = input }
  }

  /// A copy lies under the key of its submission, which nobody knows any more once the job is removed.
  func adoptInput(of number: JobNumber) {
    guard let liveJob = runtime.jobs[number], case .copied = liveJob.details.input else { return }
    // One that stays where it is, is found there.
    try? File.rename(home.paths.input(key: liveJob.submission.key), to: home.paths.input(number))
  }

  /// What the supervisor is told to give to the worker.
  func input(of liveJob: LiveJob) throws(SupervisionError) -> LaunchOrder.Input {
    switch liveJob.details.input {
    case .none: return .nothing
    case .file(let path): return .file(path)
    case .copied(let bytes):
      return .file(home.paths.input(of: liveJob), bytes: bytes)
    case .passed:
      guard inputs[liveJob.number] != nil else { throw .inputGone }
      return .passed
    }
  }

  /// Copies whose submitters went away before they submitted anything.
  func removeStrayInputs() {
    let keys = Set(runtime.jobs.values.map(\.submission.key))
    let hour: Int64 = 3_600_000_000_000
    for name in (try? File.names(in: home.paths.inputs)) ?? [] where UInt64(name) == nil {
      let path = home.paths.input(key: name)
      guard !keys.contains(name), let status = (try? File.status(path)) ?? nil,
        status.modifiedNanoseconds < WallClock.now() * 1_000_000 - hour
      else { continue }
      try? File.remove(path)
    }
  }
}

extension Paths {
  /// Where the copy is that a job reads.
  func input(of job: LiveJob) -> String {
    let path = input(job.number)
    // No runner has lived to give it the job's number.
    return File.exists(path) ? path : input(key: job.submission.key)
  }

  /// Nobody will do again what has succeeded, so that nobody needs the copy.
  func forgetInput(of job: LiveJob) {
    guard case .copied = job.details.input, case .ended(.succeeded, _) = job.state else { return }
    try? File.remove(input(job.number))
    try? File.remove(input(key: job.submission.key))
  }
}
