import JobCore
import JobPage
import JobRuntime
import JobWire
import LinuxSystem

// Files that are sent to a machine before an attempt, and fetched after it. The attempt has its slot there
// meanwhile.
extension EngineExecutor {
  private static var lastTransferPause: Interval { .minutes(1) }

  /// Whether the attempt has files to send first, which are on their way then.
  func sendsFiles(_ remote: RemoteAttempt, _ job: LiveJob) -> Bool {
    guard !remote.hasFiles, needsFiles(job, on: remote.engine) else { return false }
    if remote.transfer == nil, remote.transferAgainAt.map({ $0 <= .now() }) ?? true {
      transfer(.send, job.details.send, of: remote)
    }
    return true
  }

  func needsFiles(_ job: LiveJob, on engine: String) -> Bool {
    !job.details.send.isEmpty && links[engine]?.settings.through != nil
  }

  /// Whether files of an attempt that has succeeded are still to be fetched, which are on their way then.
  func fetchesFiles(_ remote: RemoteAttempt, _ record: String, _ message: String) -> Bool {
    guard let job = runtime.jobs[remote.name.job], !job.details.fetch.isEmpty, remote.stop == nil,
      links[remote.engine]?.settings.through != nil, remote.declared != .failure,
      RunRecord(parsing: Array(record.utf8)).ended?.status == .exited(0)
    else { return false }
    if case .deferred = remote.declared { return false }
    begin(remote)
    if remote.success == nil {
      runtime.inbox.append(.worked(remote.name.job, attempt: remote.name.attempt))
    }
    remote.success = (record, message)
    if remote.transfer == nil, remote.transferAgainAt.map({ $0 <= .now() }) ?? true {
      transfer(.fetch, job.details.fetch, of: remote)
    }
    return true
  }

  /// The time of the next try has come.
  func transferAgain(_ remote: RemoteAttempt) {
    remote.transferAgainAt = nil
    if let success = remote.success {
      _ = fetchesFiles(remote, success.record, success.message)
    } else {
      send(remote)
    }
  }

  private func transfer(
    _ direction: FileTransfer.Direction, _ paths: [String], of remote: RemoteAttempt
  ) {
    guard let host = links[remote.engine]?.settings.through else { return }
    let place: FilePlace
    do {
      place = FilePlace(try context.specification(of: remote.name.job))
    } catch {
      return transferred(.later("\(error)"), direction, remote)
    }
    let transfer = FileTransfer(
      direction, paths, place, host: host, loop: context.loop,
      progressed: { [unowned self] in tell(remote, "\(direction.gerund) \($0)") },
      ended: { [unowned self] in transferred($0, direction, remote) })
    remote.transfer = transfer
    tell(remote, "\(direction.gerund) its files")
    transfer.start()
  }

  private func transferred(
    _ ending: FileTransfer.Ending, _ direction: FileTransfer.Direction, _ remote: RemoteAttempt
  ) {
    remote.transfer = nil
    guard attempts[remote.name.job] === remote else { return }
    switch (ending, direction) {
    case (.done, .send):
      remote.hasFiles = true
      if let job = runtime.jobs[remote.name.job], job.submission.options.strategy == .fail {
        remote.startBy = .now() + Self.startTimeout
      }
      send(remote)
    case (.done, .fetch): concludeSuccess(remote)
    case (.later(let why), _):
      remote.transferAgainAt = .now() + remote.transferPause
      remote.transferPause = min(remote.transferPause * 2, Self.lastTransferPause)
      tell(remote, "its files are not \(direction.participle) yet: \(why)")
    case (.never(let why), .send):
      finish(
        remote,
        RunEnd(
          status: .engine(.refused("its files cannot be sent to \(remote.engine): \(why)"))))
    case (.never(let why), .fetch):
      finish(
        remote,
        RunEnd(
          status: .engine(
            .lost("it succeeded on \(remote.engine), where its files stay: \(why)"))))
    }
  }

  /// Ends a successful attempt: its files are here, or the job was stopped while they were fetched.
  func concludeSuccess(_ remote: RemoteAttempt) {
    guard let success = remote.success else { return }
    remote.success = nil
    warn(remote.name.job, nil)
    conclude(remote, success.record, nil, success.message)
  }

  /// On the line of the job: while it waits as the reason, and after that as a warning.
  private func tell(_ remote: RemoteAttempt, _ sentence: String) {
    if remote.success != nil { return warn(remote.name.job, sentence) }
    runtime.inbox.append(
      .pending(
        remote.name.job, attempt: remote.name.attempt, PendingReason(.engine, sentence)))
  }
}

extension FileTransfer.Direction {
  fileprivate var gerund: String { self == .send ? "sending" : "fetching" }
  fileprivate var participle: String { self == .send ? "sent" : "fetched" }
}
