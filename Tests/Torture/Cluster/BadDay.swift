import TestKit

/// Slurm's commands on a bad day: they fail after they succeeded, fail at once, print garbage or only a part,
/// or are slow.
enum BadDay {
  private static let sbatch = [
    "/usr/bin/sbatch \"$@\"; echo 'sbatch: error: Socket timed out on send/recv operation' >&2; exit 1",
    "cat > /dev/null; echo 'sbatch: error: Unable to contact slurm controller' >&2; exit 1",
    "/usr/bin/sbatch \"$@\" > /dev/null; echo '<html>'",
    "sleep 1; exec /usr/bin/sbatch \"$@\"",
  ]
  private static let squeue = [
    "echo '<html>'", "exit 1", "/usr/bin/squeue \"$@\" | head -n 1",
    "sleep 1; exec /usr/bin/squeue \"$@\"",
  ]
  private static let scancel = ["exit 1", "sleep 1; exec /usr/bin/scancel \"$@\""]
  /// One in this many calls is bad, for each way of being so.
  private static let every = 20

  /// Puts them on the PATH of the runner; its environment.
  static func prepare(
    _ sandbox: Sandbox, _ environment: [String: String]
  ) throws -> [String: String] {
    for (name, ways) in [("sbatch", sbatch), ("squeue", squeue), ("scancel", scancel)] {
      let cases = ways.enumerated().map { "\($0.offset)) \($0.element);;" }.joined(separator: "\n")
      try sandbox.write(
        "#!/bin/sh\ncase $(($$ % \(every))) in\n\(cases)\n*) exec /usr/bin/\(name) \"$@\";;\nesac\n",
        to: "bad/\(name)", executable: true)
    }
    let path = sandbox.path("bad") + ":" + (sandbox.environment["PATH"] ?? "/usr/bin:/bin")
    return environment.merging(["PATH": path]) { $1 }
  }
}
