import BackgroundTasksNetworking

/// Notes all events of a delegate; moves downloaded files into the current folder.
///
/// Sendable: it has no mutable state.
class Delegate: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate, @unchecked Sendable {
  fileprivate let diary: Diary
  fileprivate let whenFinished: @MainActor @Sendable () -> Void

  required init(_ diary: Diary, whenFinished: @escaping @MainActor @Sendable () -> Void = {}) {
    self.diary = diary
    self.whenFinished = whenFinished
  }

  fileprivate func called(_ task: URLSessionTask) -> String {
    task.taskDescription ?? "\(task.taskIdentifier)"
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    let name = downloadTask.taskDescription ?? "got-\(downloadTask.taskIdentifier)"
    let folder = FileManager.default.currentDirectoryPath
    let status = (downloadTask.response as? HTTPURLResponse)?.statusCode ?? 0
    diary.note("finished", "\(called(downloadTask)) \(status)")
    do {
      try FileManager.default.moveItem(atPath: location.path, toPath: "\(folder)/\(name)")
    } catch {
      diary.note("lost", "\(called(downloadTask)) \(error)")
    }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    diary.note(
      "wrote",
      "\(called(downloadTask)) \(bytesWritten) \(totalBytesWritten) \(totalBytesExpectedToWrite)")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    diary.note("resumed", "\(called(downloadTask)) \(fileOffset)")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    diary.note("sent", "\(called(task)) \(totalBytesSent) \(totalBytesExpectedToSend)")
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    diary.note("received", "\(called(dataTask)) \(String(decoding: data, as: UTF8.self))")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let (asked, led) = (task.originalRequest?.url, task.currentRequest?.url)
    diary.note("from", "\(called(task)) \(asked?.path ?? "") \(led?.path ?? "")")
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
    let code = (error as? URLError)?.code.rawValue ?? 0
    let resumes = (error as? URLError)?.downloadTaskResumeData == nil ? "" : " resumable"
    diary.note("completed", "\(called(task)) \(code) \(status)\(resumes)")
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    diary.note("invalid")
  }
}

/// A delegate with the methods that Linux's protocol lacks.
final class EventsDelegate: Delegate, BackgroundURLSessionDelegate, @unchecked Sendable {
  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    diary.note("events", session.configuration.identifier ?? "")
    Task { @MainActor in whenFinished() }
  }
}
