public import Foundation
public import FoundationNetworking
internal import LinuxSystem

// The async methods. In a background session the transfer is a job. Callers with the same request share the running
// transfer, which continues when one of them is cancelled.
extension URLSession {
  /// Loads the response to a request.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    guard let session = self as? BackgroundSession else {
      return try await data(for: request, delegate: nil)
    }
    return try await session.data(for: request, body: nil)
  }

  /// Loads the content of an address.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url))
  }

  /// Downloads the response to a request into a temporary file of the caller.
  public func download(for request: URLRequest) async throws -> (URL, URLResponse) {
    guard let session = self as? BackgroundSession else {
      return try await download(for: request, delegate: nil)
    }
    return try await session.result(of: session.awaited(request, body: request.httpBody)) {
      transfer in
      let copy = FileManager.default.temporaryDirectory
        .appendingPathComponent("download-\(UUID().uuidString)")
      try FileManager.default.copyItem(atPath: transfer.folder.file, toPath: copy.path)
      return copy
    }
  }

  /// Downloads the content of an address into a temporary file of the caller.
  public func download(from url: URL) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url))
  }

  /// Uploads a file and returns the response.
  public func upload(
    for request: URLRequest, fromFile file: URL
  ) async throws -> (Data, URLResponse) {
    guard let session = self as? BackgroundSession else {
      return try await upload(for: request, fromFile: file, delegate: nil)
    }
    let task = session.core.make(
      .upload, session.stored(request), source: file.path, isAwaited: true)
    return try await session.result(of: task) { $0.answerBody }
  }

  /// Uploads bytes and returns the response.
  public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
    guard let session = self as? BackgroundSession else {
      return try await upload(for: request, from: body, delegate: nil)
    }
    return try await session.data(for: request, body: body)
  }
}

// Async properties that Linux only has with a completion handler.
extension URLSession {
  /// The tasks that have not ended.
  public var allTasks: [URLSessionTask] {
    get async {
      await withCheckedContinuation { continuation in
        getAllTasks { continuation.resume(returning: $0) }
      }
    }
  }

  /// The tasks that have not ended, by kind: data, uploads, downloads.
  public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
    get async {
      await withCheckedContinuation { continuation in
        getTasksWithCompletionHandler { continuation.resume(returning: ($0, $1, $2)) }
      }
    }
  }
}

extension BackgroundSession {
  func data(for request: URLRequest, body: Data?) async throws -> (Data, URLResponse) {
    guard body != nil || request.httpBody != nil || request.httpMethod != "GET" else {
      return try await result(of: awaited(request)) { transfer in
        try Data(contentsOf: URL(fileURLWithPath: transfer.folder.file))
      }
    }
    let task = core.make(
      .upload, stored(request), body: body ?? request.httpBody ?? Data(), isAwaited: true)
    return try await result(of: task) { $0.answerBody }
  }

  func awaited(_ request: URLRequest, body: Data? = nil) -> any TransferTask {
    let request = stored(request)
    return core.joinable(request)
      ?? core.make(
        .download, request, body: request.method == "GET" ? nil : body, isAwaited: true)
  }

  /// Waits for the end of a transfer; `read` gets the result while its files exist.
  func result<Value: Sendable>(
    of task: any TransferTask, _ read: @escaping @Sendable (Transfer) throws -> Value
  ) async throws -> (Value, URLResponse) {
    let transfer = task.transfer
    let number = core.nextWaiter()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiter: Transfer.Waiter = { transfer, end in
          continuation.resume(with: Result { try Self.outcome(of: transfer, end, read) })
        }
        guard transfer.add(waiter, number) else {
          waiter(transfer, transfer.record.end ?? .cancelled)
          return core.remove(transfer)
        }
        transfer.start()
        if Task.isCancelled { transfer.leave(number) }
      }
    } onCancel: {
      transfer.leave(number)
    }
  }

  private static func outcome<Value>(
    of transfer: Transfer, _ end: TransferRecord.End, _ read: (Transfer) throws -> Value
  ) throws -> (Value, URLResponse) {
    if let code = end.code {
      throw URLError.made(code, [NSLocalizedDescriptionKey: end.reason])
    }
    guard let response = transfer.response else { throw URLError(.badServerResponse) }
    return (try read(transfer), response)
  }
}

extension Transfer {
  var answerBody: Data { FileManager.default.contents(atPath: folder.answerBody) ?? Data() }

  /// Starts the transfer of an async caller.
  func start() {
    let isFirst = with { state in
      guard state.state == .suspended, state.record.job == nil else { return false }
      state.state = .running
      return true
    }
    if isFirst { core.begin(self) }
  }
}
