internal import BackgroundTasks
public import Foundation
public import FoundationNetworking
internal import JobWire

// `URLSession`'s own initialisers cannot return a subclass; these can, and take precedence: if
// FoundationNetworking is imported by name, only those that take this module's configuration do, otherwise all
// four.
extension URLSession {
  /// A session without a delegate; with a background configuration the runner makes its transfers.
  @_disfavoredOverload
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(fitting: configuration, nil, nil)
  }

  /// A session without a delegate, whose transfers the runner makes.
  public convenience init(configuration: BackgroundSessionConfiguration) {
    self.init(fitting: configuration, nil, nil)
  }

  /// A session; with a background configuration the runner makes its transfers.
  @_disfavoredOverload
  public convenience init(
    configuration: URLSessionConfiguration,
    delegate: (any FoundationNetworking.URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    self.init(fitting: configuration, delegate, queue)
  }

  /// A session whose transfers the runner makes.
  public convenience init(
    configuration: BackgroundSessionConfiguration,
    delegate: (any FoundationNetworking.URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    self.init(fitting: configuration, delegate, queue)
  }
}

/// Enables an initialiser to return an object of a subclass.
public protocol FittingSession {}

extension URLSession: FittingSession {}

extension FittingSession where Self: URLSession {
  fileprivate init(
    fitting configuration: URLSessionConfiguration,
    _ delegate: (any FoundationNetworking.URLSessionDelegate)?, _ queue: OperationQueue?
  ) {
    guard let session = URLSession.fitting(configuration, delegate, queue) as? Self else {
      preconditionFailure("\(Self.self) has to make itself")
    }
    self = session
  }
}

extension URLSession {
  fileprivate static func fitting(
    _ configuration: URLSessionConfiguration,
    _ delegate: (any FoundationNetworking.URLSessionDelegate)?, _ queue: OperationQueue?
  ) -> URLSession {
    guard let background = configuration as? BackgroundSessionConfiguration else {
      return OrdinarySession(configuration, delegate, queue)
    }
    do throws(WireError) {
      let core = try OpenSessions.shared.core(background)
      return BackgroundSessionConfiguration.$isExpected.withValue(true) {
        BackgroundSession(core, background, delegate, queue)
      }
    } catch {
      StandardError.say(
        "the session \(background.identifier ?? "") transfers in this process, and ends with it:"
          + " \(error.message)")
      return BackgroundSessionConfiguration.$isExpected.withValue(true) {
        OrdinarySession(configuration, delegate, queue)
      }
    }
  }
}

/// The result of the original initialisers, called as those of a superclass.
///
/// Sendable as its superclass is: it adds nothing.
private final class OrdinarySession: URLSession, @unchecked Sendable {
  init(
    _ configuration: URLSessionConfiguration,
    _ delegate: (any FoundationNetworking.URLSessionDelegate)?, _ queue: OperationQueue?
  ) {
    super.FoundationNetworking::init(
      configuration: configuration, delegate: delegate, delegateQueue: queue)
  }
}
