import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

// Inputs of jobs. A pipe can be read once, and is lost with this runner: a job whose pipe is gone does not
// start, because it would succeed with empty input.
extension LocalExecutor {
  /// How many jobs wait with an open pipe.
  var inputCount: Int { inputs.count }

  /// The submission under this tag came with the input of its job.
  func expect(_ input: PassedInput, under tag: RequestTag) { expected[tag] = input }

  /// The submission under this tag failed, or its job has its input.
  func dropInput(under tag: RequestTag) { expected[tag] = nil }

  /// The submission under this tag has become a job.
  func adoptInput(under tag: RequestTag, for number: JobNumber) {
    if let input = expected.removeValue(forKey: tag) { inputs[number] = input }
  }

  /// The copy is named by the key of its submission, which is unknown once the job is removed.
  func adoptInput(of number: JobNumber) {
    guard let liveJob = runtime.jobs[number], case .copied = liveJob.details.input else { return }
    // A copy that stays there is still found.
    try? File.rename(home.paths.input(key: liveJob.submission.key), to: home.paths.input(number))
  }

  /// The worker's input in the launch order.
  func input(of liveJob: LiveJob) throws(SupervisionError) -> LaunchOrder.Input {
    switch liveJob.details.input {
    case .none: return .nothing
    case .file(let path): return .file(path)
    case .terminal:
      return .terminal(home.terminal(liveJob.number, attempt: liveJob.attempt))
    case .copied(let bytes):
      return .file(home.paths.input(of: liveJob), bytes: bytes)
    case .passed:
      guard inputs[liveJob.number] != nil else { throw .inputGone }
      return .passed
    }
  }

  /// Removes copies whose submitters went away before they submitted anything, and gives those of jobs that an
  /// earlier runner had just accepted their numbers.
  ///
  /// A submitter has its copy open until its job is accepted, however long its input takes. The age is for file
  /// systems that cannot tell who has a file open on another machine.
  package func removeStrayInputs() {
    for job in runtime.jobs.values where job.state != .launching { adoptInput(of: job.number) }
    let keys = Set(runtime.jobs.values.map(\.submission.key))
    let hour: Int64 = 3_600_000_000_000
    for name in (try? File.names(in: home.paths.inputs)) ?? [] where UInt64(name) == nil {
      let path = home.paths.input(key: name)
      guard !keys.contains(name), let status = (try? File.status(path)) ?? nil,
        status.modifiedNanoseconds < WallClock.now() * 1_000_000 - hour,
        let copy = try? File.open(path, [.write, .noFollow, .nonblocking]), copy.isSole()
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

  /// A job that succeeded is never redone, so its copy is not needed.
  func forgetInput(of job: LiveJob) {
    guard case .copied = job.details.input, case .ended(.succeeded, _) = job.state else { return }
    try? File.remove(input(job.number))
    try? File.remove(input(key: job.submission.key))
  }
}
