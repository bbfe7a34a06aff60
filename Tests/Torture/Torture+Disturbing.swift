import Glibc
import JobCore
import JobWire
import LinuxSystem
import TestKit

/// A process that was stopped, as a debugger or an overloaded machine would.
struct StoppedProcess {
  let identity: ProcessIdentity
  /// On `AwakeClock`.
  let until: UInt64
}

extension Torture {
  /// Stops any process of this sandbox for a moment: runner, supervisor, worker or command.
  func stopSomebody() {
    let candidates = workplace.sandbox.processes + workplace.supervisors()
    guard !candidates.isEmpty else { return }
    let pid = candidates[random.next(upTo: candidates.count)]
    guard let identity = ProcessIdentity(pid: pid), let process = try? ProcessDescriptor(identity),
      (try? process.signal(Signal.stop)) ?? false
    else { return }
    kills.stops += 1
    let milliseconds = UInt64(random.next(upTo: 800))
    stopped.append(
      StoppedProcess(
        identity: identity, until: AwakeClock.now() + milliseconds * Self.millisecond))
  }

  /// Continues processes whose time has come.
  func letGoOn() {
    let now = AwakeClock.now()
    for process in stopped where process.until <= now {
      _ = try? ProcessDescriptor(process.identity).signal(Signal.continue)
    }
    stopped.removeAll { $0.until <= now }
  }

  /// Removes a file that a runner needs and can make again, while it lives.
  func takeAwayFile() {
    let paths = workplace.paths
    let files = [
      paths.runnerLock, paths.runnerLog, Paths.socket(in: workplace.sandbox.home + "/run"),
    ]
    let path = files[random.next(upTo: files.count)]
    guard (try? File.remove(path)) != nil else { return }
    kills.files += 1
  }

  /// Removes record, launch order or log of a running job, or replaces it.
  ///
  /// Without its record the end of an attempt is unknown. A later attempt writes into the log, and may have
  /// one.
  func replaceFile() {
    guard let running = drawRunning(),
      let told = feed.jobs.values.first(where: { $0.number == running.number }),
      told.state == .running, let kind = errands.first(where: { $0.name == told.title })?.kind
    else { return }
    let log = workplace.paths.log(running.number)
    let paths = [running.record, running.record + ".order"] + (kind.starts == 1...1 ? [log] : [])
    let path = paths[random.next(upTo: paths.count)]
    if path == running.record { orphans.insert(running.number) }
    guard (try? File.remove(path)) != nil else { return }
    kills.files += 1
    replaced.insert(path)
    switch random.next(upTo: 5) {
    case 0: try? File.makeDirectory(path)
    case 1: unsafe mkfifo(path, 0o600)
    case 2: _ = try? File.open(path, [.write, .create])
    case 3: try? File.open(path, [.write, .create]).writeAll(Array("nonsense\n".utf8))
    default: break
    }
  }

  /// Removes parts of the store while the runner has them open, or replaces them, and waits until it has
  /// written them anew.
  ///
  /// A runner that dies before that, or has not read the store yet, could not restore the waiting jobs: a
  /// runner that answers has read it.
  func damageStore(of runner: ProcessIdentity) throws {
    let database = workplace.paths.database
    let asking = try workplace.start(["list"])
    // Processes that are stopped now are continued meanwhile.
    let limit = AwakeClock.now() + 60 * Self.second
    while asking.isRunning, AwakeClock.now() < limit { try pause(Self.millisecond) }
    guard try asking.wait(within: .seconds(1)).status == 0, runner == workplace.runner,
      let before = mark(of: database)
    else { return }
    let parts = [[""], ["-wal"], ["", "-wal"]][random.next(upTo: 3)].map { database + $0 }
    let fate = random.next(upTo: 3)
    for path in parts {
      guard (try? File.remove(path)) != nil else { continue }
      switch fate {
      case 0: _ = try? File.open(path, [.write, .create])
      case 1: try? File.open(path, [.write, .create]).writeAll(Array("nonsense\n".utf8))
      default: break
      }
    }
    let foreign = mark(of: database)
    kills.stores += 1
    // It may exit meanwhile, on request of a job: the next one finds the rewritten store.
    let deadline = AwakeClock.now() + 30 * Self.second
    while runner.isAlive, AwakeClock.now() < deadline {
      let now = mark(of: database)
      if now != nil, now != before, now != foreign { return }
      try pause(Self.millisecond)
    }
    guard runner.isAlive else { return }
    violations.append(Violation(.lost, "the store was not written anew: \(parts)"))
  }

  private func mark(of path: String) -> [UInt64]? {
    ((try? File.status(path, followingLinks: false)) ?? nil).map { [$0.device, $0.node] }
  }
}
