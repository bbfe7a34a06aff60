import JobCore
import JobPage
import JobRuntime
import JobWire

// What the worker reads of its job.
extension LocalExecutor {
  /// Adds the job's variables to the environment of its submitter.
  func setEnvironment(
    of specification: inout LaunchSpecification, for liveJob: LiveJob, _ live: Attempt,
    gpus: [String]
  ) {
    let options = liveJob.submission.options
    var entries = [
      "JOBRUN_JOB=\(liveJob.number)",
      "JOBRUN_IDENTIFIER=\(liveJob.submission.identifier)",
      "JOBRUN_KIND=\(options.kind.rawValue)",
      "JOBRUN_PAGE=\(live.pagePath)",
      "JOBRUN_STATE_DIR=\(home.paths.jobState(liveJob.number))",
      "JOBRUN_ATTEMPT=\(live.attempt)",
      "JOBRUN_TOKEN=\(live.token)",
      "JOBRUN_COMMAND=\(context.tools.command)",
    ]
    entries += live.places.variables
    if let group = options.group { entries.append("JOBRUN_GROUP=\(group)") }
    entries += liveJob.details.environment
    if !gpus.isEmpty {
      entries.append("CUDA_VISIBLE_DEVICES=" + gpus.joined(separator: ","))
      entries.append("CUDA_DEVICE_ORDER=PCI_BUS_ID")
    }
    specification.tellProcessors(options.requirements.processors)
    // Of a job inside which this one was submitted.
    specification.replace(
      with: entries, removing: ["JOBRUN_GROUP=", AttemptPlaces.unitsPrefix])
  }
}

extension LaunchSpecification {
  /// Tells the worker how many processors are reserved for it, and OpenMP, unless the submitter has told that.
  mutating func tellProcessors(_ count: Int) {
    let (ours, threads) = ("JOBRUN_CPUS", "OMP_NUM_THREADS")
    let inherited = value(of: ours)
    var entries: [String] = []
    if count > 0 { entries.append("\(ours)=\(count)") }
    // Told by the job inside which this one was submitted.
    let isOurs = inherited != nil && value(of: threads) == inherited
    if count > 0, isOurs || value(of: threads) == nil { entries.append("\(threads)=\(count)") }
    guard inherited != nil || count > 0 else { return }
    replace(with: entries, removing: ["\(ours)="] + (isOurs ? ["\(threads)="] : []))
  }
}
