internal import BackgroundTasks
internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import JobClient
internal import JobCore
internal import JobWire
internal import Synchronization

/// One background session in this process, shared by all its `URLSession` objects.
final class SessionCore: Sendable {
  struct State {
    /// The session with the delegate; kept until it is invalidated, as Apple's are.
    var session: BackgroundSession?
    var tasks: [Int: any TransferTask] = [:]
    /// Transfers that are on the disk.
    var begun: Set<Int> = []
    var nextNumber = 1
    var nextWaiter = 1
    /// Ends that are being delivered to the delegate.
    var ending = 0
    /// Transfers of earlier processes whose status the runner has not reported yet.
    var unseen: Set<Int> = []
    var drains: [CheckedContinuation<Void, Never>] = []
    /// No new tasks, unless the program makes the session again before all have ended.
    var isInvalid = false
    /// All tasks have ended: another core may use the folder.
    var isClosed = false
    var isLaunchRequested = false

    var isDrained: Bool { ending == 0 && unseen.isEmpty }
  }

  let identifier: String
  let configuration: BackgroundSessionConfiguration
  let folder: SessionFolder
  let jobs: TransferJobs
  let queue: DispatchQueue
  /// Running handlers of the delegate.
  let telling = DispatchGroup()
  /// Removals of transfers whose handlers have returned.
  let removing = DispatchGroup()
  let state = Mutex(State())
  let hostLines = HostLines()

  /// - Throws: the reason when the runner cannot make its transfers.
  init(_ configuration: BackgroundSessionConfiguration) throws(WireError) {
    identifier = configuration.identifier ?? ""
    self.configuration = configuration
    queue = DispatchQueue(label: "jobrun session \(identifier)")
    jobs = try TransferJobs()
    folder = try SessionFolder(
      state: jobs.state, bundle: jobs.bundle.manifest.identifier.text, session: identifier)
    restore()
    BGTaskScheduler.shared.sessionEvents.opened(identifier) { [weak self] in
      await self?.drain() ?? false
    }
  }

  /// Restores the transfers of earlier processes.
  private func restore() {
    state.withLock { $0.nextNumber = folder.maximumNumber + 1 }
    for (files, record) in folder.transfers() {
      guard !record.isAwaited else {
        // The waiting caller was in an earlier process.
        if let job = record.job { jobs.cancel(JobNumber(job)) }
        files.remove()
        continue
      }
      let transfer = Transfer(record, self)
      let task = task(for: transfer)
      transfer.with {
        $0.state = record.end == nil ? .running : .completed
        $0.isRestored = true
      }
      state.withLock { state in
        state.tasks[record.number] = task
        state.begun.insert(record.number)
      }
      guard record.end == nil else { continue }
      enter(transfer)
      state.withLock { _ = $0.unseen.insert(record.number) }
      if let job = record.job { watch(transfer, JobNumber(job)) } else { begin(transfer) }
    }
    for host in hostLines.hosts { admit(at: host) }
    // The earlier process was killed between its transfer's start and its request for a launch.
    if folder.launch == nil, !liveTasks.isEmpty { requestLaunch() }
  }

  func task(for transfer: Transfer) -> any TransferTask {
    switch transfer.record.kind {
    case .download: BackgroundDownloadTask(transfer)
    case .upload: BackgroundUploadTask(transfer)
    }
  }

  /// The tasks whose ends have not been delivered.
  var tasks: [any TransferTask] {
    state.withLock { $0.tasks.values.sorted { $0.transfer.number < $1.transfer.number } }
  }

  func hasBegun(_ transfer: Transfer) -> Bool {
    state.withLock { $0.begun.contains(transfer.number) }
  }

  /// A new suspended task; in an invalidated session it fails when resumed.
  func make(
    _ kind: TransferRecord.Kind, _ request: StoredRequest, source: String? = nil,
    body: Data? = nil, isAwaited: Bool = false
  ) -> any TransferTask {
    let (number, isRefused) = state.withLock { state in
      defer { state.nextNumber += 1 }
      return (state.nextNumber, state.isInvalid)
    }
    let key = UUID().uuidString.lowercased().filter { $0 != "-" }
    // A negative number belongs to no folder.
    var record = TransferRecord(
      number: isRefused ? -number : number, kind: kind, request: request, source: source, key: key)
    record.isAwaited = isAwaited
    let transfer = Transfer(record, body: body, self)
    let task = task(for: transfer)
    state.withLock { $0.tasks[transfer.number] = task }
    return task
  }

  /// Tasks that callers may share; none in an invalidated session.
  private var shareable: [any TransferTask] { state.withLock { $0.isInvalid } ? [] : tasks }

  /// An async caller's running download of the same request; otherwise a new one.
  func download(_ request: StoredRequest, body: Data?) -> any TransferTask {
    guard request.isShareable, body == nil else {
      return make(.download, request, body: request.method == "GET" ? nil : body)
    }
    let shared = shareable.first { task in
      task.transfer.with { state in
        guard state.isDownload(of: request), state.record.isAwaited, state.record.end == nil else {
          return false
        }
        state.isShared = true
        return true
      }
    }
    return shared ?? make(.download, request)
  }

  /// A running download of the same request; in a launch for the session's events also one that has
  /// succeeded.
  func joinable(_ request: StoredRequest) -> (any TransferTask)? {
    guard request.isShareable else { return nil }
    let mayHaveEnded = BGTaskScheduler.shared.environment[SessionEvents.variable] == identifier
    return shareable.first { task in
      task.transfer.with { state in
        state.isDownload(of: request)
          && (state.record.end.map { mayHaveEnded && $0.code == nil } ?? true)
      } && hasBegun(task.transfer)
    }
  }

  func nextWaiter() -> Int {
    state.withLock { state in
      defer { state.nextWaiter += 1 }
      return state.nextWaiter
    }
  }
}
