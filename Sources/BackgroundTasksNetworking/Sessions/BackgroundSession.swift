internal import BackgroundTasks
internal import Foundation
internal import FoundationNetworking

/// A session whose transfers are the runner's jobs.
///
/// Sendable as its superclass is: it adds no mutable state.
final class BackgroundSession: URLSession, @unchecked Sendable {
  typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

  let core: SessionCore

  init(
    _ core: SessionCore, _ configuration: BackgroundSessionConfiguration,
    _ delegate: (any URLSessionDelegate)?, _ queue: OperationQueue?
  ) {
    self.core = core
    super.FoundationNetworking::init(
      configuration: configuration, delegate: delegate, delegateQueue: queue)
    core.attach(self)
  }

  func stored(_ request: URLRequest) -> StoredRequest { StoredRequest(request, configuration) }

  // MARK: Downloads

  override func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    let task = core.download(stored(request), body: request.httpBody)
    guard let task = task as? BackgroundDownloadTask else {
      preconditionFailure("a download has a download task")
    }
    return task
  }

  override func downloadTask(with url: URL) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url))
  }

  override func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    guard let data = ResumePoint(resumeData, session: core.folder.path) else {
      return super.downloadTask(withResumeData: resumeData)  // fails as Apple's does
    }
    guard let task = core.make(.download, data.request) as? BackgroundDownloadTask else {
      preconditionFailure("a download has a download task")
    }
    // The data stays valid until the task is resumed: the process may end before.
    task.transfer.with { $0.resumePoint = data }
    return task
  }

  // MARK: Uploads

  override func uploadTask(with request: URLRequest, fromFile file: URL) -> URLSessionUploadTask {
    upload(request, source: file.path, body: nil)
  }

  override func uploadTask(with request: URLRequest, from body: Data) -> URLSessionUploadTask {
    upload(request, source: nil, body: body)
  }

  private func upload(
    _ request: URLRequest, source: String?, body: Data?
  ) -> URLSessionUploadTask {
    let task = core.make(.upload, stored(request), source: source, body: body)
    guard let task = task as? BackgroundUploadTask else {
      preconditionFailure("an upload has an upload task")
    }
    return task
  }

  // MARK: Supported methods

  override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    delegateQueue.addOperation { completionHandler(self.core.liveTasks) }
  }

  override func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask])
      -> Void
  ) {
    delegateQueue.addOperation {
      let tasks = self.core.liveTasks
      completionHandler(
        [], tasks.compactMap { $0 as? URLSessionUploadTask },
        tasks.compactMap { $0 as? URLSessionDownloadTask })
    }
  }

  // MARK: Its end

  override func finishTasksAndInvalidate() {
    if core.isCurrent(self) { core.invalidate() } else { end() }
  }

  override func invalidateAndCancel() {
    guard core.isCurrent(self) else { return end() }
    for task in core.liveTasks { task.cancel() }
    core.invalidate()
  }

  /// Releases the delegate, which is notified.
  func end() { super.finishTasksAndInvalidate() }

  // MARK: Methods that need this process: each of Apple's forms fails with its own error type

  override func downloadTask(
    with request: URLRequest, completionHandler: @escaping FileHandler
  ) -> URLSessionDownloadTask {
    super.downloadTask(with: refused("completion handlers"), completionHandler: completionHandler)
  }

  override func downloadTask(
    with url: URL, completionHandler: @escaping FileHandler
  ) -> URLSessionDownloadTask {
    super.downloadTask(with: refused("completion handlers"), completionHandler: completionHandler)
  }

  override func downloadTask(
    withResumeData resumeData: Data, completionHandler: @escaping FileHandler
  ) -> URLSessionDownloadTask {
    super.downloadTask(with: refused("completion handlers"), completionHandler: completionHandler)
  }

  override func uploadTask(
    with request: URLRequest, fromFile file: URL, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    super.uploadTask(
      with: refused("completion handlers"), from: Data(), completionHandler: completionHandler)
  }

  override func uploadTask(
    with request: URLRequest, from body: Data?, completionHandler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    super.uploadTask(
      with: refused("completion handlers"), from: Data(), completionHandler: completionHandler)
  }

  override func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    super.uploadTask(with: refused("streams"), from: Data())
  }

  override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    super.dataTask(with: refused("data tasks"))
  }

  override func dataTask(with url: URL) -> URLSessionDataTask {
    super.dataTask(with: refused("data tasks"))
  }

  override func dataTask(
    with request: URLRequest, completionHandler: @escaping DataHandler
  ) -> URLSessionDataTask {
    super.dataTask(with: refused("completion handlers"), completionHandler: completionHandler)
  }

  override func dataTask(
    with url: URL, completionHandler: @escaping DataHandler
  ) -> URLSessionDataTask {
    super.dataTask(with: refused("completion handlers"), completionHandler: completionHandler)
  }

  /// A request of unknown scheme, which fails once its task is resumed.
  private func refused(_ what: String) -> URLRequest {
    StandardError.say(
      "the background session \(core.identifier) knows no \(what); use download and upload tasks with a"
        + " delegate, or the async forms")
    guard let url = URL(string: "jobrun-refused:") else { preconditionFailure("it is an address") }
    return URLRequest(url: url)
  }
}

extension SessionCore {
  /// The tasks that have not ended, without those that only async callers wait for.
  var liveTasks: [URLSessionTask] {
    tasks.filter { task in task.transfer.with { $0.record.end == nil && !$0.record.isAwaited } }
  }
}
