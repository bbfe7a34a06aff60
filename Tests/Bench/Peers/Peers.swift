import LinuxSystem
import TestKit

/// Another program that queues commands.
struct Peer {
  var name: String
  /// The whole command that queues this one and returns.
  var submit: ([String]) -> [String]
  /// Waits until all that was queued has run, and forgets it.
  var drain: () throws -> Void
  /// Ends what is left of it.
  var stop: () throws -> Void
}

/// The peers that this machine has.
struct Peers {
  /// Those whose submission returns at once.
  var submitters: [Peer] = []
  /// The command of GNU parallel that runs what its standard input names; nil without it.
  var parallel: String?

  init(_ bench: Workbench) {
    if let tsp = bench.executable("tsp") { submitters.append(Self.taskSpooler(tsp, bench)) }
    if let nq = bench.executable("nq") { submitters.append(Self.nq(nq, bench)) }
    parallel = bench.executable("parallel")
  }

  /// task-spooler with as many slots as ours.
  private static func taskSpooler(_ path: String, _ bench: Workbench) -> Peer {
    _ = try? bench.run([path, "-S", "2"])
    return Peer(
      name: "tsp", submit: { [path, "-n"] + $0 },
      drain: {
        // -w waits for the last one; the other slot's job may still run.
        _ = try bench.run([path, "-w"])
        _ = try bench.run([path, "-C"])
      },
      stop: { _ = try bench.run([path, "-K"]) })
  }

  /// nq has one slot a folder.
  private static func nq(_ path: String, _ bench: Workbench) -> Peer {
    let folder = bench.sandbox.path("nq")
    return Peer(
      name: "nq", submit: { [path, "-q"] + $0 },
      drain: {
        _ = try bench.run([path, "-w"])
        for name in (try? File.names(in: folder)) ?? [] { try? File.remove(folder + "/" + name) }
      },
      stop: {})
  }
}
