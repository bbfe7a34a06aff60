import JobCore
import JobWire

/// Values for the tests of messages.
enum Samples {
  static let submitted = WallTime(milliseconds: 1_772_368_496_789)

  /// A job with nothing but what every job has.
  static var queued: JobStatus {
    JobStatus(
      number: JobNumber(12), identifier: "io.jobrun.run.k3f9", title: "Trip 2026",
      submitted: submitted, log: "/s/logs/12.log", stateDirectory: "/s/state/12")
  }

  /// A job with every field set.
  static var full: JobStatus {
    var job = queued
    job.definition = "export"
    job.subtitle = "IMG \"7\"\\\n\u{1B}[31m ✈"
    job.state = .stopping
    job.outcome = .expired
    job.stopReason = StopReason(.silent, "no sign of life for 2m")
    job.pendingReason = PendingReason(.gpu, "job 3 holds the GPU")
    job.position = 1
    job.prompt = JobStatus.Prompt(question: "Continue?", since: submitted)
    job.progress = JobProgress(
      completed: 1, total: 9, unit: .bytes, rate: 1234.5, eta: 0.25, source: .osc)
    job.progress?.changed = job.submitted
    job.progress?.interval = 15.5
    job.message = "it said so"
    fillAttempt(of: &job)
    return job
  }

  private static func fillAttempt(of job: inout JobStatus) {
    job.attempt = 2
    job.exitCode = 0
    job.signal = 9
    job.pid = 4_194_303
    job.started = WallTime(milliseconds: 1_772_368_497_000)
    job.ended = WallTime(milliseconds: 1_772_368_499_001)
    job.use.cpuSeconds = 1.5
    job.use.maxResidentBytes = 9 << 30
    job.gpus = ["GPU-8c18", "GPU-0000"]
    job.warning = "its page makes no sense"
    job.attached = 3
    job.terms.kind = .processing
    job.terms.earliest = submitted
    job.terms.requires = ["network", "power"]
    job.terms.after = [JobNumber(3), JobNumber(12)]
    job.terms.onEnd = "echo \"$JOBRUN_JOB\""
    job.quietUntil = WallTime(milliseconds: 1_772_368_559_001)
    job.terms.command = ["sh", "-c", "echo \"ü\""]
    job.terms.directory = "/home/a b"
    job.terms.afterAny = [JobNumber(2)]
    job.terms.input = "copy"
    job.terms.recurrence = Recurrence(every: .minutes(24 * 60), minuteOfDay: 180)
    job.terms.environment = ["PYTHONUNBUFFERED=1"]
    job.paused = JobStatus.Paused(
      since: submitted, seconds: 1.5, until: submitted + .seconds(600))
    job.terms.priority = .high
    job.controlGroup = true
    (job.use.bytesRead, job.use.bytesWritten) = (4_096, 512)
    (job.use.processorJoules, job.use.gpuJoules) = (7.25, 1_200)
    job.use[.bytesSent] = 3_000
    job.terms.options = Submission.Options(speaksPage: true)
    job.terms.options?.limit = .seconds(90)
    job.terms.group = "render"
    job.terms.engine = "cluster"
    (job.engineJob, job.node) = ("4711", "n1")
  }

  static var resources: ResourcesReport {
    let gpu = GPU(
      uuid: "GPU-8c18", name: "NVIDIA T4", memoryTotalBytes: 16 << 30, memoryFreeBytes: 15 << 30,
      processes: 1)
    var report = ResourcesReport(
      gpuWhy: "NVML answered",
      devices: [
        ResourcesReport.Device(gpu, utilisation: 40, leasedBy: JobNumber(7)),
        ResourcesReport.Device(gpu, utilisation: nil, leasedBy: nil),
      ], power: Condition(holds: true, why: "no battery"),
      network: Condition(holds: false, why: "no default route"),
      memory: ResourcesReport.Amount(totalBytes: 100, freeBytes: 50, why: "MemAvailable"),
      disk: ResourcesReport.Amount(totalBytes: 1000, freeBytes: 500, why: "statvfs"),
      processors: 2, processorsWhy: "the cgroup allows 2", slotsTotal: 2, slotsUsed: 1,
      pressure: ResourcesReport.Pressure(cpu: 0.5, memory: 0, io: 12.25))
    (report.gpusAreKnown, report.processorsReserved, report.memory.reservedBytes) = (false, 1, 25)
    report.counted = [ResourcesReport.Counted(name: "licence", total: 2, used: 1)]
    return report
  }

  static var status: RunnerStatus {
    var status = RunnerStatus(
      pid: 99, version: "1.0", started: submitted, home: "/s", socket: "/r/socket")
    status.live = 3
    status.queued = 1
    status.running = 2
    status.slots = 2
    status.paused = 1
    status.isHeld = true
    status.connections = 4
    status.sequence = .max
    status.notes = ["the database was damaged"]
    status.keepAwake = RunnerStatus.Finding(isOn: true, why: "logind holds idle")
    status.notifications = RunnerStatus.Finding(isOn: false, why: "no session bus")
    status.budget = budget
    return status
  }

  private static var budget: BudgetReport? {
    guard let bundle = JobIdentifier("org.example") else { return nil }
    var allowance = Allowance(bundle)
    (allowance.starts, allowance.processorTime, allowance.failures) = (3, .milliseconds(1_500), 2)
    (allowance.until, allowance.why) = (submitted, "it has had enough")
    var report = BudgetReport(Budget(), [allowance])
    report.starts = nil
    return report
  }

  static var submission: SubmitRequest {
    var request = SubmitRequest(
      key: "0123456789abcdefXYZ", identifier: "io.jobrun.samples.export.k3f9", title: "Trip 2026",
      speaksPage: true)
    request.definition = "export"
    request.subtitle = "photos"
    request.options.strategy = .fail
    request.options.ifExists = .keep
    request.options.onStall = .stop
    request.options.stallAfter = .seconds(5)
    request.options.silentAfter = .minutes(2)
    request.options.grace = .zero
    request.options.limit = .minutes(60)
    request.options.resumable = true
    request.options.retries = 2
    request.options.requirements.gpuCount = 1
    request.options.requirements.gpuMemoryBytes = 8 << 30
    request.options.requirements.processors = 4
    request.options.requirements.memoryBytes = 1 << 30
    request.options.requirements.diskBytes = 2 << 30
    request.options.requirements.network = true
    request.options.requirements.power = true
    request.options.kind = .processing
    request.bundle = "io.jobrun.samples"
    request.notBefore = submitted
    request.after = [JobNumber(3), JobNumber(12)]
    request.details.onEnd = "echo \"$JOBRUN_JOB\""
    return request
  }

  static var group: JobSelection {
    GroupName("render").map { .group($0) } ?? .range(JobRange(first: JobNumber(0), count: 0))
  }

  static var edit: JobEdit {
    var edit = JobEdit()
    edit.title = "Trip"
    edit.subtitle = ""
    edit.priority = .low
    edit.after = [Prerequisite(JobNumber(3))]
    edit.afterAny = [Prerequisite(JobNumber(5), anyEnd: true)]
    edit.start = .notBefore(submitted)
    edit.limit = .minutes(60)
    edit.grace = .seconds(2)
    (edit.retries, edit.retryDelay) = (3, .zero)
    edit.requirements = submission.options.requirements
    edit.group = GroupName("render")
    (edit.directory, edit.environment) = ("/trip", ["A=1"])
    return edit
  }

  /// Nothing is to be waited for any more.
  static var editBack: JobEdit {
    var edit = JobEdit()
    edit.after = []
    edit.afterAny = []
    edit.start = .soon
    return edit
  }

  /// Everything set that one job can have; it reads a file.
  static var details: JobDetails {
    var details = JobDetails()
    details.executed = ExecutedCommand(
      directory: Array("/home/a".utf8), arguments: [Array("make".utf8)])
    details.hidesCommand = true
    details.onEnd = "echo \"$JOBRUN_JOB\""
    details.input = .file("/etc/hosts")
    details.typed = "./export"
    details.logLimit = 1 << 20
    details.recurrence = Recurrence(
      every: .minutes(60), minuteOfDay: 180, days: CivilDays(weekdays: 0b11111))
    details.unbuffersPython = true
    details.limits = ["open files 256"]
    details.pushes = 3
    details.unlessLocked = "/state/sessions/photos/lock"
    (details.stdout, details.stderr) = ("/a/out-%j", "/a/err")
    details.logsOnlyFailure = true
    details.forgetsOnSuccess = true
    details.keepsBackground = true
    details.variables = ["TOKEN", "LANG"]
    (details.before, details.wrap) = ("module load cuda/12", ["apptainer", "exec", "a.sif"])
    (details.partition, details.engineOptions) = ("short", ["--qos=high"])
    (details.send, details.fetch) = (["data", "train.py"], ["model"])
    (details.memoryGrowth, details.memoryBytes) = (150, 6 << 30)
    (details.warnMilliseconds, details.warnSignal) = (120_000, 12)
    return details
  }

  static func bytes(_ line: RequestLine) -> [UInt8] {
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    return bytes
  }
}

/// A line as the splitter gives it.
func line(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

/// What was written, as text.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
