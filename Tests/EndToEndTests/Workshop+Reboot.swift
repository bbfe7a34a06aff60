import Foundation
import Glibc
import JobStore
import TestKit
import Testing

extension Workshop {
  /// Kills the runner and waits for its end.
  func killRunner() throws {
    let runner = try RestartTests.runner(self)
    kill(runner, SIGKILL)
    try WaitFor.end(ofProcess: runner)
  }

  /// As if the machine had been restarted: no process is left, nothing of the runtime folder, and the
  /// boot has another name.
  func reboot(killing supervisors: [Int32]) throws {
    try killRunner()
    for supervisor in supervisors {
      kill(supervisor, SIGKILL)
      try WaitFor.end(ofProcess: supervisor)
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
