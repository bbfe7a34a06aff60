import Foundation
import JobCore
import JobWire
import LinuxSystem
import TestKit

extension Torture {
  /// Compares the requests, the workers' ledgers, the store and the feed; also checks that nothing is left
  /// behind.
  func audit() throws {
    auditProcesses()
    let stored = try workplace.storedJobs(reportingTo: &violations)
    JobAudit.report(
      on: errands, stored, feed, workplace, orphans: orphans,
      outOfMemory: shortages.filter { $0.killedByKernel > 0 }.map(\.time),
      mayRefuse: settings.fault == .scarce, to: &violations)
    auditStrangers(stored)
    auditCancellations()
    if settings.fault == .kill {
      auditHolds()
      auditGroup()
    }
    try auditFeed()
    auditFiles()
  }

  /// Jobs and starts without a request.
  private func auditStrangers(_ stored: [JobStatus]) {
    let names = Set(errands.map(\.name))
    for job in stored where !names.contains(job.title) {
      // Submissions of jobs; their number depends on how many runners they met.
      guard job.title.hasPrefix("inner-") else {
        violations.append(Violation(.wrong, "nobody submitted it", number: job.number))
        continue
      }
      if job.outcome == .succeeded || orphans.contains(job.number) { continue }
      violations.append(
        Violation(.wrong, "a job submitted it, and it did not succeed", number: job.number))
    }
    let numbers = Set(stored.map { "\($0.number)" })
    for name in workplace.names(in: workplace.ledgers) where name.first?.isNumber ?? false {
      guard !numbers.contains(name) else { continue }
      violations.append(
        Violation(
          .lost, "it ran and is not in the store", number: UInt64(name).map { JobNumber($0) })
      )
    }
    let overlap = workplace.text(workplace.ledgers + "/overlap")
    if !overlap.isEmpty {
      violations.append(Violation(.wrong, "it was granted while it was in use: \(overlap)"))
    }
  }

  /// A cancellation may find its job ended, and may meet too many dead runners in a row.
  private func auditCancellations() {
    for (title, command) in cancellations {
      guard let end = try? command.wait(within: .seconds(10)) else {
        violations.append(Violation(.wrong, "the command that cancels \(title) does not end"))
        continue
      }
      guard end.status != 0, !end.errors.contains("broke the connection"),
        end.status != ExitCode.notFound
      else { continue }
      // A runner without a resource says so, and the request is repeated.
      if settings.fault == .scarce, end.status == ExitCode.cannotCreate { continue }
      violations.append(
        Violation(
          .wrong, "its cancellation failed with \(end.ending): \(end.output)\(end.errors)",
          errands.first { $0.name == title }, number: feed.jobs[title]?.number))
    }
  }

  /// The feed that was followed across all runners, and a new one, have the same lines.
  private func auditFeed() throws {
    let anew = try Feed(workplace, name: "feed-anew")
    let deadline = AwakeClock.now() + 120 * Self.second
    while anew.lastSequence < feed.lastSequence, AwakeClock.now() < deadline {
      _ = try Poll.wait([], until: AwakeClock.now() + 5 * Self.millisecond)
      try anew.read()
    }
    for (feed, name) in [(feed, "followed"), (anew, "read anew")] {
      violations += feed.faults.map { Violation(.gap, "the feed that was \(name): \($0)") }
    }
    if anew.events.map(\.sequence) != feed.events.map(\.sequence) {
      violations.append(
        Violation(
          .gap,
          "a feed read anew has \(anew.events.count) events up to \(anew.lastSequence), the one"
            + " that was followed \(feed.events.count) up to \(feed.lastSequence)"))
    }
    anew.end()
    feed.end()
  }

  /// No process of a job may be there, in the very moment in which the last one has ended.
  private func auditProcesses() {
    let sandbox = workplace.sandbox
    for pid in sandbox.processes {
      let environment = workplace.text("/proc/\(pid)/environ")
      guard environment.contains("JOBRUN_TOKEN=") else { continue }
      // What follows the end of a job is no process of it, and ends by itself.
      if environment.contains("JOBRUN_TOKEN=end."), (try? WaitFor.end(ofProcess: pid)) != nil {
        continue
      }
      violations.append(
        Violation(.left, "process \(pid) runs: \(workplace.text("/proc/\(pid)/cmdline"))"))
    }
    // Shims have an empty environment, but have their job's record open; the template has only the runner's
    // log, and is a leftover if it is not that of the live runner.
    let ready = workplace.readySupervisors(of: workplace.runner)
    for pid in workplace.names(in: "/proc") {
      guard let number = Int32(pid), workplace.text("/proc/\(pid)/comm") == "jobrun-shim\n",
        !ready.contains(number)
      else { continue }
      let open = workplace.names(in: "/proc/\(pid)/fd").compactMap {
        try? File.linkTarget("/proc/\(pid)/fd/\($0)")
      }
      let files = open.filter { $0.hasPrefix(sandbox.root) }
      // An idle one is about to exit.
      guard !files.isEmpty, (try? WaitFor.end(ofProcess: number, within: .seconds(60))) == nil
      else {
        continue
      }
      let state = workplace.text("/proc/\(pid)/status").split(separator: "\n")
        .first { $0.hasPrefix("State:") }
      violations.append(Violation(.left, "shim \(pid) runs, \(state ?? ""), with \(files)"))
    }
  }

  private func auditFiles() {
    let paths = workplace.paths
    let folders = [
      paths.runRecords, paths.jobStates, workplace.sandbox.home + "/run/pages",
    ]
    for folder in folders {
      for name in workplace.names(in: folder)
      where !isRemembered(name, in: folder) && !replaced.contains("\(folder)/\(name)") {
        violations.append(
          Violation(
            .left, "\(folder)/\(name) is left",
            number: name.split(separator: ".").first.flatMap { UInt64($0) }.map { JobNumber($0) }))
      }
    }
  }

  /// Files that a job wrote into its own folder stay as long as its history; an empty folder is removed when
  /// the runner is idle.
  private func isRemembered(_ name: String, in folder: String) -> Bool {
    let path = "\(folder)/\(name)"
    if folder == workplace.paths.jobStates, !workplace.names(in: path).isEmpty { return true }
    // A file that could not be removed at first is removed as soon as possible.
    return (try? WaitFor.noFile(path, within: .seconds(30))) != nil
  }
}
