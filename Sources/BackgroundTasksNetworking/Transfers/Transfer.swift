internal import Foundation
internal import FoundationNetworking
internal import JobCore
internal import JobWire
internal import Synchronization

/// One transfer in this process: the state of its task, and its waiting callers.
final class Transfer: Sendable {
  /// Gets the end of the transfer, while its files exist.
  typealias Waiter = @Sendable (Transfer, TransferRecord.End) -> Void

  struct State {
    var record: TransferRecord
    var state = URLSessionTask.State.suspended
    /// The body, where the program passed it as bytes; nil once it is in a file.
    var body: Data?
    /// Where it goes on from; nil once its task has been resumed, or for one that begins at the start.
    var resumePoint: ResumePoint?
    var received: Int64 = 0
    var sent: Int64 = 0
    var expectedToReceive: Int64 = -1
    var expectedToSend: Int64 = 0
    /// Bytes reported to the delegate.
    var reportedBytes: Int64 = 0
    /// Whether the runner has suspended it, at the request of any process.
    var isStopped = false
    /// Whether `state` reflects the runner's: an earlier process may have suspended it.
    var isSeen = false
    /// Whether an earlier process may have reported the bytes loaded before this one.
    var isRestored = false
    /// Whether a progress report is being delivered.
    var isTelling = false
    /// Whether the program has cancelled it and wants the partial data.
    var isCancelled = false
    var takers: [@Sendable (Data?) -> Void] = []
    var waiters: [Int: Waiter] = [:]
    /// Whether the program has a task for the transfer of async callers.
    var isShared = false
    /// Whether the end is being delivered.
    var isEnding = false
    /// The server's response, for when its file is gone.
    var answer: StoredAnswer?

    /// Whether all waiting callers were cancelled and it has no task.
    var isUnwanted: Bool { record.isAwaited && waiters.isEmpty && !isShared }

    /// Whether it downloads this request, and is not cancelled.
    func isDownload(of request: StoredRequest) -> Bool {
      record.kind == .download && record.request == request && !isEnding && state != .canceling
    }
  }

  let number: Int
  let folder: TransferFolder
  let core: SessionCore
  private let state: Mutex<State>
  let progress = Progress(totalUnitCount: -1)

  init(_ record: TransferRecord, body: Data? = nil, _ core: SessionCore) {
    number = record.number
    folder = core.folder.transfer(record.number)
    self.core = core
    state = Mutex(State(record: record, body: body))
  }

  func with<Value: Sendable>(_ work: (inout State) -> Value) -> Value {
    state.withLock { state in work(&state) }
  }

  var record: TransferRecord { state.withLock { $0.record } }

  /// Changes the record; on the disk, too, once it has started.
  func note(_ change: (inout TransferRecord) -> Void) {
    let record = state.withLock { state in
      change(&state.record)
      return state.record
    }
    guard core.hasBegun(self) else { return }
    try? folder.write(record)  // at worst it is reported again
  }
}

// The operations of a task.
extension Transfer {
  func resume() {
    let (job, isFirst) = state.withLock { state -> (UInt64?, Bool) in
      let wasSuspended = state.state == .suspended
      guard wasSuspended || state.state == .running && (state.isStopped || !state.isSeen) else {
        return (nil, false)
      }
      (state.state, state.isSeen) = (.running, true)
      return (state.record.job, wasSuspended && state.record.job == nil)
    }
    if isFirst { core.begin(self) }
    if let job {
      core.jobs.resume(JobNumber(job))
      core.rearrange(self)
    }
    // So far only an async caller wanted it: now it outlives that caller.
    guard record.isAwaited else { return }
    note { $0.isAwaited = false }
    core.requestLaunch()
  }

  func suspend() {
    let job = state.withLock { state -> UInt64? in
      guard state.state == .running else { return nil }
      (state.state, state.isSeen) = (.suspended, true)
      return state.record.job
    }
    if let job { suspend(JobNumber(job)) }
  }

  func suspend(_ job: JobNumber) {
    core.jobs.pause(job)
    core.rearrange(self)
  }

  /// `taker` gets the resume data.
  func cancel(
    _ taker: (@Sendable (Data?) -> Void)? = nil, onlyIf isMeant: (State) -> Bool = { _ in true }
  ) {
    let (isOver, job) = state.withLock { state -> (Bool, UInt64?) in
      guard state.state != .completed, state.state != .canceling, isMeant(state) else {
        return (true, nil)
      }
      state.state = .canceling
      state.isCancelled = true
      if let taker { state.takers.append(taker) }
      return (false, state.record.job)
    }
    guard !isOver else {
      taker?(nil)
      return
    }
    guard let job else { return core.end(self, .cancelled) }
    core.jobs.cancel(JobNumber(job))
  }
}

// The waiting callers of async methods.
extension Transfer {
  /// False when it has ended already; then `waiter` is not kept.
  func add(_ waiter: @escaping Waiter, _ identifier: Int) -> Bool {
    state.withLock { state in
      guard state.record.end == nil else { return false }
      state.waiters[identifier] = waiter
      return true
    }
  }

  /// Removes a waiter whose caller was cancelled, and cancels a transfer that is no longer wanted.
  ///
  /// A moment later: such a caller may make a task of it instead, and its process ends with it.
  func leave(_ identifier: Int) {
    core.queue.asyncAfter(deadline: .now() + .milliseconds(250)) {
      guard let waiter = self.with({ $0.waiters.removeValue(forKey: identifier) }) else { return }
      self.cancel(onlyIf: \.isUnwanted)
      waiter(self, .cancelled)
    }
  }
}

// Updates from the runner.
extension Transfer {
  /// Applies the progress; returns whether to report it to the delegate.
  func update(_ status: JobStatus) -> Bool {
    state.withLock { state in
      guard let seen = status.progress else { return false }
      let done = Int64(clamping: seen.completed)
      let total = seen.total == 0 ? -1 : Int64(clamping: seen.total)
      switch state.record.kind {
      case .download: (state.received, state.expectedToReceive) = (done, total)
      case .upload: (state.sent, state.expectedToSend) = (done, total)
      }
      progress.totalUnitCount = total
      progress.completedUnitCount = done
      if state.isRestored { (state.reportedBytes, state.isRestored) = (done, false) }
      let isNew = done > state.reportedBytes && !state.isTelling && state.record.end == nil
      if isNew { state.isTelling = true }
      return isNew
    }
  }

  /// Returns whether it was suspended or resumed.
  func look(_ status: JobStatus) -> Bool {
    let isStopped = status.state == .paused || status.pendingReason?.code == .held
    return state.withLock { state in
      if isStopped, !state.isSeen, state.state == .running { state.state = .suspended }
      defer { (state.isSeen, state.isStopped) = (true, isStopped) }
      return state.isStopped != isStopped
    }
  }

  /// Bytes since the last report, total bytes, expected bytes; nil when there is nothing new.
  func report() -> (new: Int64, done: Int64, total: Int64)? {
    state.withLock { state in
      state.isTelling = false
      let isDownload = state.record.kind == .download
      let done = isDownload ? state.received : state.sent
      let told = state.reportedBytes
      guard done > told else { return nil }
      state.reportedBytes = done
      return (done - told, done, isDownload ? state.expectedToReceive : state.expectedToSend)
    }
  }

  var response: HTTPURLResponse? {
    (with { $0.answer } ?? StoredAnswer(folder.answer))?.response
  }

  /// The error for the delegate; nil on success.
  var error: URLError? {
    guard let end = record.end, let code = end.code else { return nil }
    var details: [String: Any] = [NSLocalizedDescriptionKey: end.reason]
    if let url = URL(string: record.request.url) {
      details[NSURLErrorFailingURLErrorKey] = url
    }
    if let data = end.resumeData { details[NSURLSessionDownloadTaskResumeData] = data }
    if end.isForced { details[URLError.cancelledReasonKey] = 0 }
    return URLError.made(code, details)
  }
}

extension TransferRecord.End {
  static let cancelled = TransferRecord.End(
    code: URLError.Code.cancelled.rawValue, reason: "it was cancelled")
}
