import Foundation
import Glibc
import JobPage
import JobStore
import LinuxSystem
import TestKit
import Testing

extension Workshop {
  /// Kills the runner and waits for its end.
  func killRunner() throws {
    let runner = try RestartTests.runner(self)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
  }

  /// Resets the page to its state before a supervisor has the first attempt of a job.
  func undoStart(ofPage number: UInt64) throws {
    try PageControl(path: "\(sandbox.home)/run/pages/\(number).1").write(hasBegun: false)
  }

  /// The store as a crash of the runner at this moment would leave it.
  func storeCopy() throws -> Store {
    let folder = sandbox.path("store \(RandomBytes.hexadecimal(count: 8))")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for file in ["jobrun.db", "jobrun.db-wal"] {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.home)/state/\(file)", toPath: "\(folder)/\(file)")
    }
    return try Store(path: folder + "/jobrun.db")
  }

  /// As if the machine had been restarted: no processes, an empty runtime folder, and another boot id.
  func reboot(killing supervisors: [Int32]) throws {
    try killRunner()
    for supervisor in supervisors {
      // Its worker ends with it, and may hold locks until it is gone.
      let processes = [supervisor] + Self.children(of: supervisor)
      for process in processes { kill(process, SIGKILL) }
      for process in processes { try WaitFor.end(ofProcess: process) }
    }
    try changeBoot()
  }

  /// The same when all processes are gone already.
  func changeBoot() throws {
    try? FileManager.default.removeItem(atPath: sandbox.home + "/run")
    let store = try Store(path: sandbox.home + "/state/jobrun.db")
    try store.transaction(.full) { () throws(StoreError) in
      try store.saveBootID("00000000-0000-4000-8000-000000000000")
    }
  }
}
