public import Foundation
internal import FoundationNetworking

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the resume data for `downloadTask(withResumeData:)`, in the error of a download; Apple's name
/// for it.
public let NSURLSessionDownloadTaskResumeData = URLSessionDownloadTaskResumeData

extension URLError {
  static func made(_ code: Int, _ details: [String: Any]) -> URLError {
    URLError(Code(rawValue: code) ?? .unknown, userInfo: details)
  }

  static let cancelledReasonKey = "NSURLErrorBackgroundTaskCancelledReasonKey"

  /// Why a transfer was cancelled from outside the program.
  public enum BackgroundTaskCancelledReason: Int, Sendable {
    /// A person cancelled it (`jobrun cancel`).
    case userForceQuitApplication = 0
    /// Never used here.
    case backgroundUpdatesDisabled = 1
    /// Never used here.
    case insufficientSystemResources = 2
  }

  /// Why the transfer was cancelled; nil when the program did it, or it failed for another reason.
  public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? {
    (errorUserInfo[Self.cancelledReasonKey] as? Int).flatMap(
      BackgroundTaskCancelledReason.init(rawValue:))
  }

  /// The resume data; nil when nothing has arrived.
  public var downloadTaskResumeData: Data? {
    errorUserInfo[NSURLSessionDownloadTaskResumeData] as? Data
  }
}
