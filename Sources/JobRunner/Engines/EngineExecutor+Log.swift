import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// The log of an attempt that runs elsewhere comes along with its looks, and is written to the job's own: so
// it is read here as any other, also when the machine there is gone.
extension EngineExecutor {
  /// From here on the job's log is that of this attempt.
  ///
  /// A later runner finds it in the file that is the run record of an attempt of this machine.
  func beginLog(of remote: RemoteAttempt) throws(SystemError) {
    let path = home.paths.log(remote.name.job)
    let log = try File.open(path, [.read, .write, .append, .create, .noFollow])
    let size = try log.size()
    if size > 0 {
      let isWhole = try log.read(at: size - 1, maximum: 1) == [0x0A]
      let begins = "jobrun: attempt \(remote.name.attempt) begins, \(WallTime.now().text)\n"
      try log.writeAll(Array(((isWhole ? "" : "\n") + begins).utf8))
    }
    remote.logStart = try log.size()
    try File.writeAtomically(Array("log \(remote.logStart)\n".utf8), to: mark(of: remote))
  }

  func resumeLog(of remote: RemoteAttempt) {
    let size = ((try? File.status(home.paths.log(remote.name.job))) ?? nil)?.size ?? 0
    remote.logStart = size
    if let bytes = try? File.readAll(mark(of: remote), limit: 64) {
      let digits = bytes.dropFirst(4).prefix { $0 >= 0x30 && $0 <= 0x39 }
      remote.logStart = min(size, UInt64(String(decoding: digits, as: UTF8.self)) ?? size)
    }
    remote.logBytes = size - remote.logStart
  }

  func append(_ bytes: [UInt8], from start: UInt64, to remote: RemoteAttempt) {
    // What came twice is there, and what is missing comes when it is adopted again.
    guard !remote.isLogFull, start <= remote.logBytes else { return }
    let new = bytes.dropFirst(Int(clamping: remote.logBytes - start))
    guard !new.isEmpty else { return }
    let limit = logLimit(of: remote)
    let room = limit - min(limit, remote.logStart + remote.logBytes)
    var taken = Array(new.prefix(Int(clamping: room)))
    if taken.count < new.count {
      remote.isLogFull = true
      links[remote.engine]?.send(.adopt([EngineAdoption(remote.name, logBytes: nil)], waiting: nil))
      taken += Array("\njobrun: the log has reached its limit; the rest was left out\n".utf8)
    }
    // A full disk takes nothing: what is missing then is asked for by the next runner.
    guard
      (try? File.open(home.paths.log(remote.name.job), [.write, .append, .noFollow])
        .writeAll(taken)) != nil
    else { return }
    remote.logBytes += UInt64(new.count)
  }

  private func logLimit(of remote: RemoteAttempt) -> UInt64 {
    runtime.jobs[remote.name.job]?.details.logLimit ?? context.settings.current.logLimit
  }

  func mark(of remote: RemoteAttempt) -> String {
    home.paths.runRecord(remote.name.job, attempt: remote.name.attempt)
  }
}
