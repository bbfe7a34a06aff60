public import Foundation
internal import FoundationNetworking

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of what `downloadTask(withResumeData:)` goes on with, in the error of a download; Apple's name for
/// it.
public let NSURLSessionDownloadTaskResumeData = URLSessionDownloadTaskResumeData

extension URLError {
  static func made(_ code: Int, _ details: [String: Any]) -> URLError {
    URLError(Code(rawValue: code) ?? .unknown, userInfo: details)
  }

  static let cancelledReasonKey = "NSURLErrorBackgroundTaskCancelledReasonKey"

  /// Why a transfer was cancelled that the program has not cancelled.
  public enum BackgroundTaskCancelledReason: Int, Sendable {
    /// A person has (`jobrun cancel`).
    case userForceQuitApplication = 0
    /// Never here.
    case backgroundUpdatesDisabled = 1
    /// Never here.
    case insufficientSystemResources = 2
  }

  /// Why the transfer was cancelled; nil when the program did it, or it failed for something else.
  public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? {
    (errorUserInfo[Self.cancelledReasonKey] as? Int).flatMap(
      BackgroundTaskCancelledReason.init(rawValue:))
  }

  /// What another download goes on with; nil when nothing has come.
  public var downloadTaskResumeData: Data? {
    errorUserInfo[NSURLSessionDownloadTaskResumeData] as? Data
  }
}
