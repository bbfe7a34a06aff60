internal import BackgroundTasks
internal import Foundation
internal import FoundationNetworking
internal import JobCore
internal import JobWire
internal import LinuxSystem
internal import Synchronization

// Requests to the runner and their results.
extension SessionCore {
  /// The runner's maximum number of dependencies of a job.
  private static let maximumAfter = 1000
  /// Those of the job `download`.
  private static let downloadMethods = ["GET", "POST", "PUT", "PATCH"]

  /// Submits a transfer to the runner; after that, it continues without the program.
  func begin(_ transfer: Transfer) {
    BGTaskScheduler.shared.calls.during {
      defer { if transfer.record.job == nil { seen(transfer.number) } }
      do throws(WireError) {
        try submit(transfer)
      } catch {
        let code: URLError.Code = error.code == .unavailable ? .cannotLoadFromNetwork : .unknown
        end(transfer, TransferRecord.End(code: code.rawValue, reason: error.message))
      }
    }
  }

  private func submit(_ transfer: Transfer) throws(WireError) {
    guard transfer.number > 0, !state.withLock({ $0.isClosed }) else {
      return end(
        transfer,
        TransferRecord.End(
          code: URLError.Code.backgroundSessionWasDisconnected.rawValue,
          reason: "the session \(identifier) is invalidated; make it again"))
    }
    task(transfer.number)?.noteBeginning()
    let record = transfer.record
    guard let scheme = URL(string: record.request.url)?.scheme?.lowercased(),
      ["http", "https"].contains(scheme)
    else {
      return end(
        transfer,
        TransferRecord.End(
          code: URLError.Code.unsupportedURL.rawValue,
          reason: "\(record.request.url) must begin with http:// or https://"))
    }
    guard record.kind == .upload || Self.downloadMethods.contains(record.request.method) else {
      return end(
        transfer,
        TransferRecord.End(
          code: URLError.Code.unsupportedURL.rawValue,
          reason: "a download cannot use \(record.request.method); it must be one of"
            + " \(Self.downloadMethods.joined(separator: ", "))"))
    }
    if !hasBegun(transfer) {
      try transfer.folder.make(record, body: transfer.with { $0.body })
      state.withLock { _ = $0.begun.insert(transfer.number) }
    }
    if let point = transfer.with({ $0.resumePoint.take() }) {
      let offset = point.give(to: transfer.folder)
      transfer.note { $0.resumesAt = offset > 0 ? offset : nil }
    }
    let predecessor = predecessor(at: record.request.host)
    let status = try jobs.submit(
      record, transfer.folder, isDiscretionary: configuration.isDiscretionary,
      isUnmetered: !configuration.allowsExpensiveNetworkAccess,
      limit: configuration.timeoutIntervalForResource, after: predecessor.map { [$0] } ?? [])
    transfer.note { record in
      record.job = status.number.value
      record.predecessor = predecessor?.value
    }
    enter(transfer)
    transfer.with { $0.body = nil }
    watch(transfer, status.number)
    switch transfer.with({ $0.state }) {
    case .canceling: jobs.cancel(status.number)
    case .suspended: transfer.suspend(status.number)
    default: break
    }
    // An async transfer may have become a task meanwhile.
    if !transfer.record.isAwaited { requestLaunch() }
  }

  func watch(_ transfer: Transfer, _ number: JobNumber) {
    TransferListener.shared.watch(number) { [weak self] status in
      self?.receive(status, transfer)
    }
  }

  private func receive(_ status: JobStatus?, _ transfer: Transfer) {
    defer { seen(transfer.number) }
    guard let status else { return end(transfer, foundEnd(of: transfer)) }
    if transfer.update(status) { tellProgress(transfer) }
    guard status.state == .ended else {
      if transfer.look(status) { rearrange(transfer) }
      return
    }
    switch status.outcome {
    case .succeeded: end(transfer, TransferRecord.End())
    case .cancelled:
      var end = TransferRecord.End.cancelled
      end.isForced = !transfer.with { $0.isCancelled }
      self.end(transfer, end)
    // Its worker was killed after the file had got its name.
    case _ where hasFile(transfer): end(transfer, TransferRecord.End())
    default:
      let answer = StoredAnswer(transfer.folder.answer)
      let code = status.stopReason?.code == .limit ? .timedOut : answer?.errorCode ?? .unknown
      let reason = status.message ?? status.stopReason?.message ?? "it failed"
      end(transfer, TransferRecord.End(code: code.rawValue, reason: reason))
    }
  }

  /// Whether its download is complete.
  private func hasFile(_ transfer: Transfer) -> Bool {
    transfer.record.kind == .download && File.exists(transfer.folder.file)
  }

  /// The end of a transfer that the runner has forgotten.
  private func foundEnd(of transfer: Transfer) -> TransferRecord.End {
    let folder = transfer.folder
    let isUpload = transfer.record.kind == .upload
    if hasFile(transfer) || isUpload && StoredAnswer(folder.answer)?.status != nil {
      return TransferRecord.End()
    }
    return TransferRecord.End(
      code: URLError.Code.backgroundSessionWasDisconnected.rawValue,
      reason: "the runner no longer knows it")
  }

  /// Requests a launch of the program for the time when all running transfers have ended; many requests in
  /// a row are merged.
  func requestLaunch() {
    guard configuration.sessionSendsLaunchEvents else { return }
    let isFirst = state.withLock { state in
      defer { state.isLaunchRequested = true }
      return !state.isLaunchRequested
    }
    guard isFirst else { return }
    // Synchronous for the first request, so that a program killed right after its call is launched for its
    // transfers.
    guard folder.launch != nil else { return queue.sync { self.launch() } }
    BGTaskScheduler.shared.calls.begin()
    queue.async {
      defer { BGTaskScheduler.shared.calls.end() }
      self.launch()
    }
  }

  func launch() {
    state.withLock { $0.isLaunchRequested = false }
    guard folder.isOpen else { return }
    let live = tasks.map(\.transfer.record).filter { $0.end == nil && !$0.isAwaited }
      .compactMap { $0.job.map { JobNumber($0) } }
    let earlier = folder.launch
    if live.isEmpty {
      folder.launch = nil
    } else {
      do throws(WireError) {
        let number = try jobs.submitLaunch(
          for: identifier, lock: folder.lockPath,
          after: Array(live.sorted().suffix(Self.maximumAfter))
        )
        folder.launch = number.value
      } catch {
        return StandardError.say(
          "the program is not launched for the events of \(identifier): \(error.message)")
      }
    }
    if let earlier { jobs.withdraw(JobNumber(earlier)) }
  }
}
