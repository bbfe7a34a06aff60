internal import BackgroundTasks
internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import JobCore
internal import LinuxSystem
internal import Synchronization

// Delivery of events to delegates, each once: a delivered end is removed, and one whose handler had not
// returned when the process ended is delivered by the next.
extension SessionCore {
  /// Records how a transfer ended, passes it to the waiting callers, and delivers it to the delegate.
  func end(_ transfer: Transfer, _ end: TransferRecord.End) {
    telling.enter()
    defer { telling.leave() }
    let (isFirst, takers, isOwn) = transfer.with { state in
      guard state.record.end == nil else { return (false, [(@Sendable (Data?) -> Void)](), true) }
      defer { state.takers = [] }
      return (true, state.takers, state.isCancelled)
    }
    guard isFirst else { return }
    var end = end
    if end.code != nil, !takers.isEmpty || !isOwn {
      end.resumeData =
        transfer.with { $0.resumePoint.take() }?.data
        ?? ResumePoint.taken(
          from: transfer.folder, of: transfer.record, into: folder.path, name: transfer.record.key)
    }
    let answer = StoredAnswer(transfer.folder.answer)
    let waiters = transfer.with { state in
      state.answer = answer
      state.record.end = end
      state.state = .completed
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    transfer.note { _ in }
    leave(transfer)
    for taker in takers { taker(end.resumeData) }
    for waiter in waiters { waiter(transfer, end) }
    let isWanted = !transfer.record.isAwaited
    if isWanted ? !waiters.isEmpty && delegate == nil : !waiters.isEmpty || end.code != nil {
      remove(transfer)
    } else {
      tell(transfer)
    }
    // All transfers have ended: events that are delivered here need no launch.
    if folder.launch != nil, !tasks.contains(where: { $0.transfer.record.end == nil }) {
      requestLaunch()
    }
  }

  private var delegate: (any URLSessionDelegate)? { state.withLock { $0.session }?.delegate }

  /// Makes `session` the one whose delegate gets the events, starting with undelivered ones.
  func attach(_ session: BackgroundSession) {
    let tasks = state.withLock { state in
      if state.session == nil || session.delegate != nil { state.session = session }
      return Array(state.tasks.values)
    }
    for task in tasks.sorted(by: { $0.transfer.number < $1.transfer.number })
    where task.transfer.record.end != nil {
      tell(task.transfer)
    }
  }

  private func tell(_ transfer: Transfer) {
    guard !transfer.record.isAwaited, let session = state.withLock({ $0.session }),
      let delegate = session.delegate, let task = task(transfer.number)
    else { return }
    let isFirst = transfer.with { state in
      defer { state.isEnding = true }
      return !state.isEnding
    }
    guard isFirst else { return }
    state.withLock { $0.ending += 1 }
    session.delegateQueue.addOperation {
      self.telling.enter()
      Self.delivering = transfer
      self.tellEnd(of: task, session, delegate)
      self.remove(transfer)
      Self.delivering = nil
      self.telling.leave()
      self.endTelling()
    }
  }

  func task(_ number: Int) -> (any TransferTask)? { state.withLock { $0.tasks[number] } }

  private func tellEnd(
    of task: any TransferTask, _ session: BackgroundSession, _ delegate: any URLSessionDelegate
  ) {
    let folder = task.transfer.folder
    if task.transfer.record.end?.code == nil {
      tellProgress(of: task, session, delegate)
      if let download = task as? URLSessionDownloadTask, File.exists(folder.file) {
        (delegate as? any URLSessionDownloadDelegate)?.urlSession(
          session, downloadTask: download, didFinishDownloadingTo: URL(fileURLWithPath: folder.file)
        )
        // The delegate may have moved the file away; the removal also tells the next process that the end
        // was delivered.
        try? File.remove(folder.file)
      }
      if let upload = task as? URLSessionUploadTask,
        let body = FileManager.default.contents(atPath: folder.answerBody), !body.isEmpty
      {
        (delegate as? any URLSessionDataDelegate)?.urlSession(
          session, dataTask: upload, didReceive: body)
        try? File.remove(folder.answerBody)
      }
    }
    (delegate as? any URLSessionTaskDelegate)?.urlSession(
      session, task: task, didCompleteWithError: task.transfer.error)
  }

  /// Reports progress to the delegate; reports in close succession are merged.
  func tellProgress(_ transfer: Transfer) {
    guard !transfer.record.isAwaited, let session = state.withLock({ $0.session }),
      let delegate = session.delegate, let task = task(transfer.number)
    else { return }
    session.delegateQueue.addOperation { self.tellProgress(of: task, session, delegate) }
  }

  private func tellProgress(
    of task: any TransferTask, _ session: BackgroundSession, _ delegate: any URLSessionDelegate
  ) {
    let offset = task.transfer.record.resumesAt
    if let offset, let download = task as? URLSessionDownloadTask {
      task.transfer.note { $0.resumesAt = nil }
      (delegate as? any URLSessionDownloadDelegate)?.urlSession(
        session, downloadTask: download, didResumeAtOffset: offset,
        expectedTotalBytes: task.countOfBytesExpectedToReceive)
    }
    guard let report = task.transfer.report() else { return }
    if let download = task as? URLSessionDownloadTask {
      (delegate as? any URLSessionDownloadDelegate)?.urlSession(
        session, downloadTask: download, didWriteData: report.new, totalBytesWritten: report.done,
        totalBytesExpectedToWrite: report.total)
    } else {
      (delegate as? any URLSessionTaskDelegate)?.urlSession(
        session, task: task, didSendBodyData: report.new, totalBytesSent: report.done,
        totalBytesExpectedToSend: report.total)
    }
  }

  /// Forgets a transfer whose end was delivered.
  func remove(_ transfer: Transfer) {
    removing.enter()
    transfer.folder.remove()
    removing.leave()
    state.withLock { state in
      state.tasks[transfer.number] = nil
      state.begun.remove(transfer.number)
    }
    invalidateIfDone()
  }

  /// The transfer whose event the calling thread is delivering.
  private static var delivering: Transfer? {
    get { Thread.current.threadDictionary["jobrun telling"] as? Transfer }
    set { Thread.current.threadDictionary["jobrun telling"] = newValue }
  }

  /// Waits briefly for running handlers when the process exits; if a handler itself exits, its event counts
  /// as delivered.
  func awaitHandlers() {
    queue.sync {}  // a requested launch
    if let transfer = Self.delivering { return transfer.folder.remove() }
    _ = telling.wait(timeout: .now() + .seconds(1))
    // Otherwise the next process would get events again whose handlers have returned.
    _ = removing.wait(timeout: .now() + .seconds(30))
  }

  private func endTelling() {
    state.withLock { $0.ending -= 1 }
    wakeIfDrained()
  }

  /// The status of an earlier process's transfer has arrived.
  func seen(_ number: Int) {
    state.withLock { _ = $0.unseen.remove(number) }
    wakeIfDrained()
  }

  private func wakeIfDrained() {
    let drains = state.withLock { state in
      guard state.isDrained else { return [CheckedContinuation<Void, Never>]() }
      defer { state.drains = [] }
      return state.drains
    }
    for drain in drains { drain.resume() }
  }

  /// Waits until all known events are delivered; returns whether the delegate was told that they are
  /// complete.
  func drain() async -> Bool {
    await withCheckedContinuation { continuation in
      let isDrained = state.withLock { state in
        if !state.isDrained { state.drains.append(continuation) }
        return state.isDrained
      }
      if isDrained { continuation.resume() }
    }
    guard let session = state.withLock({ $0.session }), let known = session.delegate else {
      return false
    }
    guard let delegate = known as? any BackgroundURLSessionDelegate else {
      StandardError.say(
        "\(type(of: known)) does not name BackgroundURLSessionDelegate, so that"
          + " urlSessionDidFinishEvents(forBackgroundURLSession:) is not called for \(identifier);"
          + " all its events were delivered")
      return false
    }
    await withCheckedContinuation { continuation in
      session.delegateQueue.addOperation {
        delegate.urlSessionDidFinishEvents(forBackgroundURLSession: session)
        continuation.resume()
      }
    }
    return true
  }
}
