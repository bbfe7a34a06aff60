import JobCore
import JobWire
import LinuxSystem

/// The total resource usage of a group of ended jobs.
struct UsageSum: Hashable, Sendable {
  /// The property that jobs are grouped by.
  enum Grouping: String, Hashable, Sendable, CaseIterable {
    case definition, bundle, group, title, day
  }

  /// The definition's, the bundle's, the group's, the title, or the day's as `2026-03-14`.
  let name: String
  private(set) var jobs = 0
  private(set) var succeeded = 0
  private(set) var cancelled = 0
  /// Seconds from each job's first start to its end.
  private(set) var seconds = 0.0
  /// Processor time of all their processes on this machine, in seconds.
  private(set) var cpuSeconds = 0.0
  /// The same for jobs that ran on engines.
  private(set) var engineCPUSeconds = 0.0
  /// The maximum memory of a single process among them, in bytes.
  private(set) var maxResidentBytes: UInt64 = 0
  /// GPU seconds: each GPU counts separately.
  private(set) var gpuSeconds = 0.0
  /// Bytes from disks and to them.
  private(set) var bytesRead: UInt64 = 0
  private(set) var bytesWritten: UInt64 = 0
  /// Of the jobs with known energy; nil without any.
  private(set) var processorJoules: Double?
  private(set) var gpuJoules: Double?
  /// Whether the energy of all of them is known.
  private(set) var energyIsWhole = true

  init(_ name: String) {
    self.name = name
  }

  /// Jobs that ended without success or never began, except cancelled ones.
  var failed: Int { jobs - succeeded - cancelled }

  mutating func add(_ job: JobStatus) {
    jobs += 1
    if job.outcome == .succeeded { succeeded += 1 }
    if job.outcome == .cancelled { cancelled += 1 }
    seconds += Receipt.runningSeconds(job) ?? 0
    if job.terms.engine == nil {
      cpuSeconds += job.use.cpuSeconds ?? 0
    } else {
      engineCPUSeconds += job.use.cpuSeconds ?? 0
    }
    maxResidentBytes = max(maxResidentBytes, job.use.maxResidentBytes ?? 0)
    gpuSeconds += Double(job.gpus.count) * (Receipt.runningSeconds(job) ?? 0)
    bytesRead = bytesRead.addedHeld(job.use.bytesRead ?? 0)
    bytesWritten = bytesWritten.addedHeld(job.use.bytesWritten ?? 0)
    addEnergy(job.use.processorJoules, job.use.gpuJoules)
    let isKnown = job.use.processorJoules != nil && (job.gpus.isEmpty || job.use.gpuJoules != nil)
    if job.started != nil, !isKnown { energyIsWhole = false }
  }

  mutating func add(_ other: UsageSum) {
    jobs += other.jobs
    succeeded += other.succeeded
    cancelled += other.cancelled
    seconds += other.seconds
    cpuSeconds += other.cpuSeconds
    engineCPUSeconds += other.engineCPUSeconds
    maxResidentBytes = max(maxResidentBytes, other.maxResidentBytes)
    gpuSeconds += other.gpuSeconds
    bytesRead = bytesRead.addedHeld(other.bytesRead)
    bytesWritten = bytesWritten.addedHeld(other.bytesWritten)
    addEnergy(other.processorJoules, other.gpuJoules)
    energyIsWhole = energyIsWhole && other.energyIsWhole
  }

  private mutating func addEnergy(_ processors: Double?, _ gpus: Double?) {
    if let processors { processorJoules = (processorJoules ?? 0) + processors }
    if let gpus { gpuJoules = (gpuJoules ?? 0) + gpus }
  }

  /// In joules; nil where it is known of none.
  var energy: Double? {
    processorJoules == nil && gpuJoules == nil ? nil : (processorJoules ?? 0) + (gpuJoules ?? 0)
  }
}

extension UsageSum.Grouping {
  /// The name of the group that a job belongs to.
  func name(_ job: JobStatus) -> String {
    switch self {
    case .definition: job.definition ?? Self.command
    case .bundle: Self.bundle(job)
    case .group: job.terms.group ?? Self.ungrouped
    case .title: Receipt.title(job)
    case .day: Self.day(job.ended ?? job.submitted)
    }
  }

  /// The name for jobs without a definition.
  static let command = "(commands)"
  /// The name for jobs without a group.
  static let ungrouped = "(no group)"

  /// `io.jobrun.samples` of `io.jobrun.samples.export.k3f9`: the part before the definition's name, or before
  /// the last label without one.
  private static func bundle(_ job: JobStatus) -> String {
    // Jobs of a batch have one more label.
    let commands = Submitter.commandPrefix
    if job.definition == nil, job.identifier.hasPrefix(commands + ".") { return commands }
    let labels = job.identifier.split(separator: ".")
    let end =
      job.definition.flatMap { name in labels.lastIndex { $0 == name } } ?? (labels.count - 1)
    return end > 0 ? labels[..<end].joined(separator: ".") : job.identifier
  }

  /// The day of this place on which that was.
  private static func day(_ time: WallTime) -> String {
    let reading = LocalClock.reading(time.milliseconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(reading.year)-\(two(reading.month))-\(two(reading.day))"
  }
}

/// The sums of all groups.
struct UsageReport: Sendable {
  let grouping: UsageSum.Grouping
  private var sums: [String: UsageSum] = [:]

  init(by grouping: UsageSum.Grouping) {
    self.grouping = grouping
  }

  mutating func add(_ job: JobStatus) {
    let name = grouping.name(job)
    var sum = sums[name] ?? UsageSum(name)
    sum.add(job)
    sums[name] = sum
  }

  /// Days in order; other groups by processor time, the largest first.
  var rows: [UsageSum] {
    sums.values.sorted { one, other in
      if grouping != .day, one.cpuSeconds != other.cpuSeconds {
        return one.cpuSeconds > other.cpuSeconds
      }
      return one.name < other.name
    }
  }

  var total: UsageSum {
    var total = UsageSum("")
    for sum in sums.values { total.add(sum) }
    return total
  }

  /// How much of all processor time a group has used, 0 to 1.
  func share(_ sum: UsageSum) -> Double {
    let all = total.cpuSeconds
    return all > 0 ? sum.cpuSeconds / all : 0
  }
}
