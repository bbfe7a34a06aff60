public import Foundation

extension BGTaskScheduler {
  /// The domain of the scheduler's errors, as Apple has it.
  public static let errorDomain = "BGTaskSchedulerErrorDomain"

  /// Why a submission was refused; after Apple's error of this name, with a sentence.
  ///
  /// `catch BGTaskScheduler.Error.notPermitted` tests for one code.
  public struct Error: CustomNSError, LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// Which of Apple's errors it is.
    public enum Code: Int, Hashable, Sendable {
      /// Nobody here can run the task: no runner, or a machine without what the task needs.
      case unavailable = 1
      /// As many requests as may be are waiting already.
      case tooManyPendingTaskRequests = 2
      /// The identifier or a resource is not this program's to use, or has no handler.
      case notPermitted = 3
      /// With the strategy `fail`: it cannot start now.
      case immediateRunIneligible = 4

      /// Lets `catch` test any error for this code.
      public static func ~= (code: Code, error: any Swift.Error) -> Bool {
        (error as? BGTaskScheduler.Error)?.code == code
      }
    }

    /// The domain, `BGTaskSchedulerErrorDomain`.
    public static var errorDomain: String { BGTaskScheduler.errorDomain }

    /// Nobody here can run the task.
    public static var unavailable: Code { .unavailable }
    /// As many requests as may be are waiting already.
    public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
    /// The identifier or a resource is not this program's to use, or has no handler.
    public static var notPermitted: Code { .notPermitted }
    /// With the strategy `fail`: it cannot start now.
    public static var immediateRunIneligible: Code { .immediateRunIneligible }

    /// Which error it is.
    public let code: Code
    /// What happened and what would be right, in one sentence that a person reads.
    public let message: String

    /// An error with this sentence.
    public init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }

    /// The number of the code, as Apple has it.
    public var errorCode: Int { code.rawValue }

    /// The sentence under Foundation's key for it.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }

    /// The sentence.
    public var errorDescription: String? { message }

    /// The sentence.
    public var description: String { message }
  }
}
