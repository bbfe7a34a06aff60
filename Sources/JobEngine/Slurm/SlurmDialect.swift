internal import JobPage
internal import JobWire
internal import LinuxSystem

/// Slurm: arrays, reasons, and what it knows of ended jobs.
package struct SlurmDialect: QueueDialect {
  private var arguments: SlurmArguments?

  package init() {}

  mutating func greet(_ greeting: EngineGreeting, program: String) {
    arguments = SlurmArguments(greeting: greeting, program: program)
  }

  var name: String { "Slurm" }
  static var pace: UInt32 { 10_000 }
  static var rings: Bool { true }
  static var showsNames: Bool { true }
  static var isExplicit: Bool { true }
  static var arrayMost: Int { 1_000 }

  /// The minimum that the commands need: sbatch would pass everything on to the job.
  static var environment: [[UInt8]] {
    let names = ["PATH", "HOME", "USER", "LOGNAME", "SLURM_CONF"]
    let known = names.compactMap { name in
      CurrentProcess.environmentValue(name).map { Array("\(name)=\($0)".utf8) }
    }
    return known + [
      Array("LC_ALL=C".utf8), Array("SLURM_TIME_FORMAT=%s".utf8),
      // All elements of an array, however many.
      Array("SLURM_BITSTR_LEN=0".utf8),
    ]
  }

  var limitsCall: [String]? { ["scontrol", "show", "config"] }

  func limits(in answer: QueueAnswer) -> QueueLimits {
    var limits = QueueLimits()
    // The largest number of an element is one less.
    limits.arrayMost = answer.setting("MaxArraySize").map { max(1, Int(clamping: $0)) }
    if let seconds = answer.setting("KillWait"), seconds > 0 {
      limits.killGraceMilliseconds = UInt32(
        clamping: max(1, min(seconds, 1 << 32) - min(seconds, 2)) * 1_000)
    }
    return limits
  }

  func demand(_ launch: EngineLaunch) -> [String] {
    launch.options + (arguments?.demand(launch) ?? [])
  }

  func submission(_ launch: EngineLaunch, _ task: QueueTask) -> QueueCall {
    arguments?.call(launch, task) ?? QueueCall(arguments: ["sbatch"])
  }

  func id(in answer: QueueAnswer, _ folder: JobFolder) -> String? { Self.id(in: answer) }

  package static func id(in answer: QueueAnswer) -> String? {
    let id = answer.output.prefix { (0x30...0x39).contains($0) }
    return id.isEmpty ? nil : String(decoding: id, as: UTF8.self)
  }

  func id(of folder: JobFolder) -> String? { nil }
  func mark(_ folder: JobFolder) -> String? { nil }
  func element(_ index: Int, of id: String) -> String { "\(id)_\(index)" }

  func elements(of id: String, most: Int) -> [(index: Int, id: String)] {
    let (job, indices) = SlurmElements.all(of: id, most: most)
    return indices.map { ($0, element($0, of: job)) }
  }

  func list(withEnded: Bool) -> [String] {
    ["squeue", "--me", "-h", "-o", SqueueRow.format] + (withEnded ? ["-t", "all"] : [])
  }

  func rows(in output: [UInt8]) -> [QueueRow]? { SqueueRow.all(in: output) }

  func question(of id: String) -> [String]? { ["scontrol", "--oneliner", "show", "job", id] }

  func whereabouts(_ answer: QueueAnswer, name: String?) -> QueueWhereabouts {
    QueueWhereabouts(slurm: answer, name: name)
  }

  func cancel(_ ids: [String], named name: String) -> [String] {
    ["scancel"] + SlurmElements.arguments(for: ids, named: name)
  }

  func ring(_ ids: [String], named name: String) -> [String] {
    ["scancel", "-b", "-s", "USR1"] + SlurmElements.arguments(for: ids, named: name)
  }

  func farewell(names: [String], ids: [String], awaitsSubmission: Bool) -> [String] {
    SlurmFarewell.command(for: names, awaitsSubmission: awaitsSubmission)
  }

  func explanation(in log: [UInt8], job: String?) -> String? {
    SlurmNodeLog.reason(in: log, job: job)
  }
}
