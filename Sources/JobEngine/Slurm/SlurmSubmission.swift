internal import JobPage
internal import JobWire
internal import LinuxSystem

/// How an attempt is handed to `sbatch`.
struct SlurmSubmission {
  let greeting: EngineGreeting
  /// The supervisor's program, as the nodes see it.
  let program: String

  /// Slurm's own limit comes this long after ours, and warns within it.
  private static let warningSeconds: UInt64 = 120
  private static let minute: UInt64 = 60_000

  /// The call for an attempt; its supervisor's complaints go to `output`.
  func arguments(_ launch: EngineLaunch, name: String, output: String) -> [String] {
    var arguments = ["sbatch", "--parsable"]
    if let partition = greeting.partition { arguments.append("--partition=\(partition)") }
    if let account = greeting.account { arguments.append("--account=\(account)") }
    arguments += greeting.options
    arguments += [
      "--job-name=\(name)", "--comment=\(greeting.engine): \(launch.title)",
      "--output=\(Self.plain(output))",
      "--open-mode=append", "--input=/dev/null", "--no-requeue", "--export=ALL", "--chdir=/",
      "--signal=B:USR2@\(Self.warningSeconds)",
    ]
    return arguments + demand(launch)
  }

  /// What it asks of the cluster.
  func demand(_ launch: EngineLaunch) -> [String] {
    var arguments: [String] = []
    if launch.processors > 0 { arguments.append("--cpus-per-task=\(launch.processors)") }
    if launch.memoryBytes > 0 { arguments.append("--mem=\(Self.mebibytes(launch.memoryBytes))M") }
    if launch.diskBytes > 0 { arguments.append("--tmp=\(Self.mebibytes(launch.diskBytes))M") }
    if let gres = launch.gres { arguments.append("--gres=\(gres)") }
    if let limit = launch.limitMilliseconds {
      // The warning may come a minute early.
      let spare = (Self.warningSeconds + 120) * 1_000
      arguments.append("--time=\((limit + spare + Self.minute - 1) / Self.minute)")
    }
    return arguments
  }

  func script(_ folder: JobFolder) -> [UInt8] {
    Array("#!/bin/sh\nexec \(Self.quoted(program)) \(Self.quoted(folder.path))\n".utf8)
  }

  /// Of an array: each element finds its folder in the list.
  func script(list: String) -> [UInt8] {
    let line = "sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \(Self.quoted(list))"
    return Array("#!/bin/sh\nexec \(Self.quoted(program)) \"$(\(line))\"\n".utf8)
  }

  /// Slurm fills in what follows a % there.
  private static func plain(_ path: String) -> String {
    path.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }

  private static func mebibytes(_ bytes: UInt64) -> UInt64 { (bytes + (1 << 20) - 1) >> 20 }

  private static func quoted(_ path: String) -> String {
    var text = "'"
    for scalar in path.unicodeScalars {
      if scalar == "'" { text += "'\\''" } else { text.unicodeScalars.append(scalar) }
    }
    return text + "'"
  }
}
