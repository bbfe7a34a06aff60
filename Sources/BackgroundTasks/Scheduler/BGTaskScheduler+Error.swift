public import Foundation
internal import JobCore
internal import JobWire

extension BGTaskScheduler {
  /// The domain of the scheduler's errors, as Apple has it.
  public static let errorDomain = "BGTaskSchedulerErrorDomain"

  /// Why a submission was refused; after Apple's error of this name, with a sentence.
  ///
  /// `catch BGTaskScheduler.Error.notPermitted` tests for one code, `catch let error as BGTaskScheduler.Error`
  /// gives the sentence. The thrown error is an `NSError`, as in Apple's API, for `catch let error as NSError`.
  public struct Error: _BridgedStoredNSError, LocalizedError, Sendable, CustomStringConvertible {
    /// Which of Apple's errors it is.
    public enum Code: Int, _ErrorCodeProtocol, Hashable, Sendable {
      // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
      public typealias _ErrorType = BGTaskScheduler.Error

      /// The task cannot run here: there is no runner, or the machine lacks its resources.
      case unavailable = 1
      /// The limit of waiting requests is reached.
      case tooManyPendingTaskRequests = 2
      /// The identifier or a resource is not this program's to use, or has no handler.
      case notPermitted = 3
      /// With the strategy `fail`: it cannot start now.
      case immediateRunIneligible = 4
    }

    /// The task cannot run here.
    public static var unavailable: Code { .unavailable }
    /// The limit of waiting requests is reached.
    public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
    /// The identifier or a resource is not this program's to use, or has no handler.
    public static var notPermitted: Code { .notPermitted }
    /// With the strategy `fail`: it cannot start now.
    public static var immediateRunIneligible: Code { .immediateRunIneligible }

    /// The domain, `BGTaskSchedulerErrorDomain`.
    public static var _nsErrorDomain: String { BGTaskScheduler.errorDomain }

    /// The error as Foundation has it.
    public let _nsError: NSError

    /// The error of an `NSError` in this domain.
    public init(_nsError: NSError) {
      self._nsError = _nsError
    }

    /// An error with this sentence.
    public init(_ code: Code, _ message: String) {
      _nsError = ErrorInWords(
        domain: BGTaskScheduler.errorDomain, code: code.rawValue,
        userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// The error and the remedy, in one sentence for people.
    public var message: String { _nsError.localizedDescription }

    /// The sentence.
    public var errorDescription: String? { message }

    /// The sentence.
    public var description: String { message }
  }
}

extension BGTaskScheduler.Error {
  /// The refusal of a runner, or of the core, with Apple's code for it.
  init(_ error: WireError) {
    self.init(Code(error.code), error.message)
  }

  init(_ refusal: Refusal) {
    self.init(WireError(refusal))
  }

  /// Runs a body that throws this error, and throws it as an `NSError`, as in Apple's API.
  static func bridged(_ body: () throws(Self) -> Void) throws {
    do throws(Self) { try body() } catch { throw error._nsError }
  }
}

extension BGTaskScheduler.Error.Code {
  /// Apple has four codes; other errors get the closest one.
  init(_ code: ErrorCode) {
    self =
      switch code {
      case .tooManyPendingTaskRequests: .tooManyPendingTaskRequests
      case .notPermitted, .notFound, .usage: .notPermitted
      case .immediateRunIneligible, .alreadyRunning: .immediateRunIneligible
      case .unavailable, .internal, .cannotCreate, .badFrame, .unknownOperation,
        .badConfiguration:
        .unavailable
      }
  }
}

/// Makes `as? BGTaskScheduler.Error` find it in an `NSError`, as on Apple's platforms.
extension BGTaskScheduler.Error: _ObjectiveCBridgeable {
  /// The error in Foundation's form.
  ///
  /// - Returns: It.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// The error of an `NSError`, if that is in this domain.
  public static func _forceBridgeFromObjectiveC(
    _ source: NSError, result: inout BGTaskScheduler.Error?
  ) {
    _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
  }

  /// The error of an `NSError`, if that is in this domain.
  ///
  /// - Returns: Whether it is.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout BGTaskScheduler.Error?
  ) -> Bool {
    guard source.domain == _nsErrorDomain, Code(rawValue: source.code) != nil else { return false }
    result = BGTaskScheduler.Error(_nsError: source)
    return true
  }

  /// The error of an `NSError` in this domain.
  ///
  /// - Returns: The error; without details it is `unavailable`.
  public static func _unconditionallyBridgeFromObjectiveC(
    _ source: NSError?
  ) -> BGTaskScheduler.Error {
    source.map(BGTaskScheduler.Error.init(_nsError:)) ?? BGTaskScheduler.Error(.unavailable)
  }
}

/// An error whose description is its sentence.
private final class ErrorInWords: NSError, @unchecked Sendable {
  override var description: String { localizedDescription }
}
