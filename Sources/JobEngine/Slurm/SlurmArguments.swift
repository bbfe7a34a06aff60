internal import JobPage
internal import JobWire
internal import LinuxSystem

/// The arguments and the input of `sbatch` for an attempt; `QueueEngine` calls it and reads its answer.
struct SlurmArguments {
  let greeting: EngineGreeting
  /// The supervisor's path on the nodes.
  let program: String

  /// Slurm's own limit exceeds ours by this much: it warns up to two minutes before the grace of a job.
  private static let spare: UInt64 = 180_000
  private static let minute: UInt64 = 60_000
  /// The maximum that sbatch accepts, in seconds.
  private static let longestWarning: UInt64 = 65_535

  func call(_ launch: EngineLaunch, _ task: QueueTask) -> QueueCall {
    let output = task.list.map { "\($0).log" } ?? task.folder.nodeLog
    var arguments = arguments(launch, name: task.name, output: output)
    guard let list = task.list else {
      return QueueCall(arguments: arguments, input: QueueScript.one(program, task.folder))
    }
    arguments.append("--array=0-\(task.count - 1)")
    return QueueCall(
      arguments: arguments,
      input: QueueScript.many(program, list: list, index: "SLURM_ARRAY_TASK_ID"))
  }

  /// The command for an attempt; messages of its supervisor go to `output`.
  private func arguments(_ launch: EngineLaunch, name: String, output: String) -> [String] {
    var arguments = ["sbatch", "--parsable"]
    if let account = greeting.account { arguments.append("--account=\(account)") }
    arguments += greeting.options + launch.options
    arguments += [
      "--job-name=\(name)", "--comment=\(greeting.engine): \(launch.title)",
      "--output=\(Self.plain(output))",
      "--open-mode=append", "--input=/dev/null", "--no-requeue", "--export=ALL", "--chdir=/",
    ]
    return arguments + demand(launch)
  }

  /// The resources that it requests.
  ///
  /// Its supervisor knows when Slurm ends it as soon as the queue shows that; the warning, which comes up
  /// to a minute early, is for a supervisor that could not be told.
  func demand(_ launch: EngineLaunch) -> [String] {
    let grace = min(launch.graceMilliseconds, Self.longestWarning * 1_000)
    let warning = min((grace + 999) / 1_000 + 60, Self.longestWarning)
    var arguments = ["--signal=B:USR2@\(warning)"]
    if let partition = launch.partition ?? greeting.partition {
      arguments.append("--partition=\(partition)")
    }
    if launch.nodes > 0 { arguments.append("--nodes=\(launch.nodes)") }
    if launch.tasks > 0 { arguments.append("--ntasks=\(launch.tasks)") }
    if launch.processors > 0 { arguments.append("--cpus-per-task=\(launch.processors)") }
    if launch.memoryBytes > 0 { arguments.append("--mem=\(Self.mebibytes(launch.memoryBytes))M") }
    if launch.diskBytes > 0 { arguments.append("--tmp=\(Self.mebibytes(launch.diskBytes))M") }
    if let gres = launch.gres { arguments.append("--gres=\(gres)") }
    if let limit = launch.limitMilliseconds {
      arguments.append("--time=\((limit + Self.spare + Self.minute - 1) / Self.minute)")
    }
    return arguments
  }

  /// Slurm expands % sequences there.
  private static func plain(_ path: String) -> String {
    path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  private static func mebibytes(_ bytes: UInt64) -> UInt64 { (bytes + (1 << 20) - 1) >> 20 }
}
