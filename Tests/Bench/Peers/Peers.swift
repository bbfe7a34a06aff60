import LinuxSystem
import TestKit

/// The peers that this machine has.
struct Peers {
  /// The peers whose submission returns at once.
  var submitters: [Peer] = []
  /// The command of GNU parallel that runs the lines of its standard input; nil without it.
  var parallel: String?

  init(_ bench: Workbench) {
    for name in ["tsp", "nq", "parallel"] where bench.executable(name) == nil {
      tell("\(name) is not installed and therefore not measured; `make bench-peers` installs it")
    }
    if let tsp = bench.executable("tsp") { submitters.append(Self.taskSpooler(tsp, bench)) }
    if let nq = bench.executable("nq") { submitters.append(Self.nq(nq, bench)) }
    parallel = bench.executable("parallel")
  }

  /// task-spooler with as many slots as ours.
  private static func taskSpooler(_ path: String, _ bench: Workbench) -> Peer {
    _ = try? bench.run([path, "-S", "2"])
    return Peer(
      name: "tsp", bench: bench, submit: { [path, "-n"] + $0 },
      drain: {
        // One slot runs jobs in their order, so that the last one to end is the last one.
        _ = try bench.run([path, "-S", "1"])
        _ = try bench.run([path, "-n", "true"])
        _ = try bench.run([path, "-w"])
        _ = try bench.run([path, "-C"])
        _ = try bench.run([path, "-S", "2"])
      },
      stop: { _ = try bench.run([path, "-K"]) })
  }

  /// nq has one slot a folder.
  private static func nq(_ path: String, _ bench: Workbench) -> Peer {
    let folder = bench.sandbox.path("nq")
    return Peer(
      name: "nq", bench: bench, submit: { [path, "-q"] + $0 },
      drain: {
        _ = try bench.run([path, "-w"])
        for name in (try? File.names(in: folder)) ?? [] { try? File.remove(folder + "/" + name) }
      })
  }
}
