import BackgroundTasksNetworking

#if BY_NAME
  import FoundationNetworking
#endif

/// A download manager as in most apps: a singleton with a lazy session, that keeps data about its tasks by
/// their identifiers.
final class Downloads: NSObject, @unchecked Sendable {
  static let shared = Downloads()

  private let identifier = "org.example.corpus.downloads"
  private var handlers: [Int: (Double) -> Void] = [:]
  var backgroundCompletionHandler: (() -> Void)?

  lazy var session: URLSession = {
    let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
    configuration.isDiscretionary = false
    configuration.sessionSendsLaunchEvents = true
    configuration.allowsCellularAccess = true
    configuration.allowsExpensiveNetworkAccess = true
    configuration.allowsConstrainedNetworkAccess = true
    configuration.waitsForConnectivity = true
    configuration.multipathServiceType = .handover
    configuration.httpMaximumConnectionsPerHost = 4
    configuration.timeoutIntervalForResource = 24 * 60 * 60
    configuration.sharedContainerIdentifier = "group.org.example.corpus"
    return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
  }()

  private lazy var quiet = URLSession(
    configuration: .background(withIdentifier: "org.example.corpus.quiet"), delegate: self,
    delegateQueue: OperationQueue.main)

  func download(_ url: URL, progress: @escaping (Double) -> Void) {
    let task = session.downloadTask(with: url)
    task.taskDescription = url.lastPathComponent
    task.earliestBeginDate = Date(timeIntervalSinceNow: 2 * 60 * 60)
    task.countOfBytesClientExpectsToSend = 160
    task.countOfBytesClientExpectsToReceive = 4096
    handlers[task.taskIdentifier] = progress
    task.resume()
  }

  func upload(_ file: URL, to url: URL) {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("Bearer token", forHTTPHeaderField: "Authorization")
    session.uploadTask(with: request, fromFile: file).resume()
  }

  func pause(_ task: URLSessionDownloadTask, keeping file: URL) {
    task.cancel(byProducingResumeData: { data in try? data?.write(to: file) })
  }

  func goOn(_ data: Data) {
    session.downloadTask(withResumeData: data).resume()
  }

  func restore() {
    session.getAllTasks { tasks in
      for task in tasks where task.state == .running {
        note("\(task.originalRequest as Any) \(task.currentRequest as Any) \(task.progress)")
      }
    }
    session.getTasksWithCompletionHandler { _, uploads, downloads in
      for task in uploads as [URLSessionTask] + downloads { task.cancel() }
    }
  }

  func restoreLater() async {
    let (_, uploads, downloads) = await session.tasks
    note("\(uploads.count + downloads.count) \(await session.allTasks.count)")
  }

  func close() {
    session.finishTasksAndInvalidate()
    quiet.invalidateAndCancel()
  }
}

extension Downloads: URLSessionDelegate {
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    DispatchQueue.main.async {
      self.backgroundCompletionHandler?()
      self.backgroundCompletionHandler = nil
    }
  }
}

extension Downloads: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let error = error as NSError? else { return }
    let data = error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data
    note("\(task.taskIdentifier) \(error.code) \(data?.count ?? 0) \(task.error as Any)")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    note("\(Double(totalBytesSent) / Double(totalBytesExpectedToSend))")
  }
}

extension Downloads: URLSessionDownloadDelegate {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    guard let response = downloadTask.response as? HTTPURLResponse,
      (200..<300).contains(response.statusCode)
    else { return }
    try? FileManager.default.moveItem(
      at: location, to: FileManager.default.temporaryDirectory.appendingPathComponent("corpus"))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    handlers[downloadTask.taskIdentifier]?(
      Double(totalBytesWritten) / Double(totalBytesExpectedToWrite))
  }
}
