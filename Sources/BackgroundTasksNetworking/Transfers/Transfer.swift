internal import Foundation
internal import FoundationNetworking
internal import JobCore
internal import JobWire
internal import Synchronization

/// One transfer as this process knows it: what its task shows, and who waits for it.
final class Transfer: Sendable {
  /// Gets the end of the transfer, while its files are there.
  typealias Waiter = @Sendable (Transfer, TransferRecord.End) -> Void

  struct State {
    var record: TransferRecord
    var state = URLSessionTask.State.suspended
    /// What is sent, where the program gave it as bytes; gone once it is in a file.
    var body: Data?
    var received: Int64 = 0
    var sent: Int64 = 0
    var expectedToReceive: Int64 = -1
    var expectedToSend: Int64 = 0
    /// Bytes that the delegate has heard of.
    var told: Int64 = 0
    /// Whether an earlier process may have reported what had come before this one.
    var isRestored = false
    /// Whether a report is on its way to the delegate.
    var isTelling = false
    /// Whether the program has cancelled it, and is to get what came.
    var isCancelled = false
    var takers: [@Sendable (Data?) -> Void] = []
    var waiters: [Int: Waiter] = [:]
    /// Whether the end is on its way to the delegate.
    var isEnding = false
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

  /// Changes what is kept of it; on the disk, too, once it has begun.
  func note(_ change: (inout TransferRecord) -> Void) {
    let record = state.withLock { state in
      change(&state.record)
      return state.record
    }
    guard core.hasBegun(self) else { return }
    try? folder.write(record)  // what is lost with it is told again at most
  }
}

// What a program does with its task.
extension Transfer {
  func resume() {
    let (job, isFirst) = state.withLock { state -> (UInt64?, Bool) in
      guard state.state == .suspended else { return (nil, false) }
      state.state = .running
      return (state.record.job, state.record.job == nil)
    }
    if isFirst { core.begin(self) }
    if let job { core.jobs.resume(JobNumber(job)) }
    // Only an async caller wanted it so far: now it outlives that one.
    guard record.isAwaited else { return }
    note { $0.isAwaited = false }
    core.requestLaunch()
  }

  func suspend() {
    let job = state.withLock { state -> UInt64? in
      guard state.state == .running else { return nil }
      state.state = .suspended
      return state.record.job
    }
    if let job { core.jobs.pause(JobNumber(job)) }
  }

  /// `taker` gets what another download goes on with.
  func cancel(_ taker: (@Sendable (Data?) -> Void)? = nil) {
    let (isOver, job) = state.withLock { state -> (Bool, UInt64?) in
      guard state.state != .completed, state.state != .canceling else { return (true, nil) }
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

// Who waits for it in an async form.
extension Transfer {
  /// False when it has ended already, and `waiter` is not kept.
  func add(_ waiter: @escaping Waiter, _ identifier: Int) -> Bool {
    state.withLock { state in
      guard state.record.end == nil else { return false }
      state.waiters[identifier] = waiter
      return true
    }
  }

  /// Lets go of a waiter whose caller is cancelled, and of a transfer that nobody wants any more.
  ///
  /// A moment later: such a caller may make a task of it instead, and its process ends with it.
  func leave(_ identifier: Int) {
    core.queue.asyncAfter(deadline: .now() + .milliseconds(250)) {
      let (waiter, isUnwanted) = self.with { state in
        let waiter = state.waiters.removeValue(forKey: identifier)
        return (waiter, state.record.isAwaited && state.waiters.isEmpty)
      }
      guard let waiter else { return }
      waiter(self, .cancelled)
      if isUnwanted { self.cancel() }
    }
  }
}

// What the runner tells.
extension Transfer {
  /// Takes over how far it is; whether the delegate is to hear of it.
  func update(_ status: JobStatus) -> Bool {
    state.withLock { state in
      if state.state == .running, status.state == .paused { state.state = .suspended }
      guard let seen = status.progress else { return false }
      let done = Int64(clamping: seen.completed)
      let total = seen.total == 0 ? -1 : Int64(clamping: seen.total)
      switch state.record.kind {
      case .download: (state.received, state.expectedToReceive) = (done, total)
      case .upload: (state.sent, state.expectedToSend) = (done, total)
      }
      progress.totalUnitCount = total
      progress.completedUnitCount = done
      if state.isRestored { (state.told, state.isRestored) = (done, false) }
      let isNew = done > state.told && !state.isTelling && state.record.end == nil
      if isNew { state.isTelling = true }
      return isNew
    }
  }

  /// Bytes since the last report, bytes altogether, bytes expected; nil when there is nothing new.
  func report() -> (new: Int64, done: Int64, total: Int64)? {
    state.withLock { state in
      state.isTelling = false
      let isDownload = state.record.kind == .download
      let done = isDownload ? state.received : state.sent
      let told = state.told
      guard done > told else { return nil }
      state.told = done
      return (done - told, done, isDownload ? state.expectedToReceive : state.expectedToSend)
    }
  }

  var response: HTTPURLResponse? { StoredAnswer(folder.answer)?.response }

  /// The error that its delegate gets; nil when it went well.
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
