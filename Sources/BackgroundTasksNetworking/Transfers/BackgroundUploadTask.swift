internal import Foundation
internal import FoundationNetworking

/// An upload that the runner makes.
///
/// It overrides the same methods as a download: the two have different superclasses, so the overrides
/// cannot be shared.
///
/// Sendable: the transfer's lock guards all mutable state.
final class BackgroundUploadTask: URLSessionUploadTask, TransferTask, @unchecked Sendable {
  let transfer: Transfer

  init(_ transfer: Transfer) {
    self.transfer = transfer
    super.init()
    transfer.progress.cancellationHandler = { [weak self] in self?.cancel() }
  }

  override var taskIdentifier: Int { transfer.number }
  override var originalRequest: URLRequest? { transfer.record.request.request }
  override var currentRequest: URLRequest? { sentRequest }
  override var response: URLResponse? { transfer.response }
  override var state: URLSessionTask.State { transfer.with { $0.state } }
  override var error: (any Error)? { transfer.error }
  override var progress: Progress { transfer.progress }
  override var countOfBytesReceived: Int64 { transfer.with { $0.received } }
  override var countOfBytesSent: Int64 { transfer.with { $0.sent } }
  override var countOfBytesExpectedToReceive: Int64 { transfer.with { $0.expectedToReceive } }
  override var countOfBytesExpectedToSend: Int64 { transfer.with { $0.expectedToSend } }

  override var countOfBytesClientExpectsToSend: Int64 {
    get { transfer.record.expectedToSend }
    set { transfer.note { $0.expectedToSend = newValue } }
  }

  override var countOfBytesClientExpectsToReceive: Int64 {
    get { transfer.record.expectedToReceive }
    set { transfer.note { $0.expectedToReceive = newValue } }
  }

  override var taskDescription: String? {
    get { transfer.record.description }
    set { transfer.note { $0.description = newValue } }
  }

  override var priority: Float {
    get { transfer.record.priority }
    set { transfer.note { $0.priority = newValue } }
  }

  override func resume() { transfer.resume() }
  override func suspend() { transfer.suspend() }
  override func cancel() { transfer.cancel() }
}
