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
    let candidates = workplace.sandbox.processes + supervisors()
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

  /// Lets those go on whose time has come.
  func letGoOn() {
    let now = AwakeClock.now()
    for process in stopped where process.until <= now {
      _ = try? ProcessDescriptor(process.identity).signal(Signal.continue)
    }
    stopped.removeAll { $0.until <= now }
  }

  private func supervisors() -> [Int32] {
    workplace.names(in: "/proc").compactMap { Int32($0) }.filter { pid in
      guard workplace.text("/proc/\(pid)/comm") == "jobrun-shim\n" else { return false }
      return workplace.names(in: "/proc/\(pid)/fd").contains { descriptor in
        let target = try? File.linkTarget("/proc/\(pid)/fd/\(descriptor)")
        return target?.hasPrefix(workplace.sandbox.home) == true
      }
    }
  }

  /// Removes a file that a runner needs and can make again, while it lives.
  func takeAwayFile() {
    let places = workplace.places
    let files = [
      places.runnerLock, places.runnerLog, Places.socket(in: workplace.sandbox.home + "/run"),
    ]
    let path = files[random.next(upTo: files.count)]
    guard (try? File.remove(path)) != nil else { return }
    kills.files += 1
  }
}
