internal import BackgroundTasks
internal import Dispatch
internal import Foundation
internal import FoundationNetworking
internal import JobClient
internal import JobCore
internal import JobWire
internal import Synchronization

/// One background session in this process, whatever `URLSession` objects there are of it.
final class SessionCore: Sendable {
  struct State {
    /// Who has the delegate; kept until it is invalidated, as Apple's are.
    var session: BackgroundSession?
    var tasks: [Int: any TransferTask] = [:]
    /// Those that are on the disk.
    var begun: Set<Int> = []
    var nextNumber = 1
    var nextWaiter = 1
    /// Jobs of each host, in their order.
    var hosts: [String: [JobNumber]] = [:]
    /// Ends on their way to the delegate.
    var ending = 0
    /// Those of earlier processes of which the runner has not said how they are.
    var unseen: Set<Int> = []
    var drains: [CheckedContinuation<Void, Never>] = []
    var isInvalid = false
    var isLaunchRequested = false

    var isDrained: Bool { ending == 0 && unseen.isEmpty }
  }

  let identifier: String
  let configuration: BackgroundSessionConfiguration
  let folder: SessionFolder
  let jobs: TransferJobs
  let queue: DispatchQueue
  /// Handlers of the delegate that have begun.
  let telling = DispatchGroup()
  let state = Mutex(State())

  /// - Throws: why the runner cannot make its transfers.
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

  /// Takes up what earlier processes have left.
  private func restore() {
    for (files, record) in folder.transfers() {
      guard !record.isAwaited else {
        // Whoever waited is gone.
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
        state.nextNumber = max(state.nextNumber, record.number + 1)
      }
      guard record.end == nil else { continue }
      state.withLock { _ = $0.unseen.insert(record.number) }
      if let job = record.job { watch(transfer, JobNumber(job)) } else { begin(transfer) }
    }
  }

  func task(for transfer: Transfer) -> any TransferTask {
    switch transfer.record.kind {
    case .download: BackgroundDownloadTask(transfer)
    case .upload: BackgroundUploadTask(transfer)
    }
  }

  /// The tasks whose ends have not been told.
  var tasks: [any TransferTask] {
    state.withLock { $0.tasks.values.sorted { $0.transfer.number < $1.transfer.number } }
  }

  func hasBegun(_ transfer: Transfer) -> Bool {
    state.withLock { $0.begun.contains(transfer.number) }
  }

  /// A new task, which waits to be resumed.
  func make(
    _ kind: TransferRecord.Kind, _ request: StoredRequest, source: String? = nil,
    body: Data? = nil, isAwaited: Bool = false
  ) -> any TransferTask {
    let number = state.withLock { state in
      defer { state.nextNumber += 1 }
      return state.nextNumber
    }
    let key = UUID().uuidString.lowercased().filter { $0 != "-" }
    var record = TransferRecord(
      number: number, kind: kind, request: request, source: source, key: key)
    record.isAwaited = isAwaited
    let transfer = Transfer(record, body: body, self)
    let task = task(for: transfer)
    state.withLock { $0.tasks[number] = task }
    return task
  }

  /// What async callers have under way of the same request; else a new one.
  func download(_ request: StoredRequest) -> any TransferTask {
    let shared = tasks.first { task in
      let record = task.transfer.record
      return record.isAwaited && record.request == request && record.end == nil
    }
    return shared ?? make(.download, request)
  }

  /// What is under way of the same request; in a launch for the session's events also what has ended well.
  func joinable(_ request: StoredRequest) -> (any TransferTask)? {
    let mayHaveEnded = BGTaskScheduler.shared.environment[SessionEvents.variable] == identifier
    return tasks.first { task in
      task.transfer.with { state in
        state.record.kind == .download && state.record.request == request && !state.isEnding
          && state.state != .canceling
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
