internal import Foundation
internal import FoundationNetworking

/// The additions of both kinds of tasks to their superclasses.
protocol TransferTask: URLSessionTask, Sendable {
  var transfer: Transfer { get }
}

extension TransferTask {
  /// The request with the address after redirects.
  var sentRequest: URLRequest? {
    var request = transfer.record.request.request
    if let url = transfer.response?.url { request?.url = url }
    return request
  }
}
