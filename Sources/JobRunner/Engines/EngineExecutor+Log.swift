import JobCore
import JobRuntime
import JobWire
import LinuxSystem

// The log of an attempt that runs elsewhere comes along with its looks.
extension EngineExecutor {
  func beginLog(of remote: RemoteAttempt) throws(SystemError) {
    remote.log = try RemoteLog(
      beginning: remote.name.attempt, path: home.paths.log(remote.name.job), note: note(of: remote),
      limit: logLimit(of: remote.name.job))
  }

  func resumeLog(of remote: RemoteAttempt) {
    let (path, note) = (home.paths.log(remote.name.job), note(of: remote))
    let limit = logLimit(of: remote.name.job)
    remote.log =
      context.files.suspects.reading(note) { RemoteLog(resuming: path, note: note, limit: limit) }
      ?? RemoteLog(resuming: path, note: note, limit: limit)
  }

  /// Requests log data again that could not be written.
  func askForLog(of remote: RemoteAttempt) {
    remote.log?.askAgainAt = nil
    guard remote.log != nil else { return }
    links[remote.engine]?.send(.adopt([remote.adoption], waiting: nil))
  }

  private func logLimit(of number: JobNumber) -> UInt64 {
    runtime.jobs[number]?.details.logLimit ?? context.settings.current.logLimit
  }

  /// A later runner finds the log's state in the file that is the run record of a local attempt.
  func note(of remote: RemoteAttempt) -> String {
    home.paths.runRecord(remote.name.job, attempt: remote.name.attempt)
  }
}
