public import Foundation
public import FoundationNetworking

/// The configuration of a background session; after Apple's `URLSessionConfiguration`, with the properties
/// that Linux lacks.
///
/// Sendable as its superclass is: it is set up in one place and copied by the session.
public final class BackgroundSessionConfiguration: URLSessionConfiguration, @unchecked Sendable {
  /// Whether the runner launches this program when all transfers of the session have ended while no process
  /// has it open.
  public var sessionSendsLaunchEvents = true
  /// Whether its transfers also use a network that NetworkManager considers metered; otherwise they wait.
  public var allowsExpensiveNetworkAccess = true
  /// Stored without effect.
  public var allowsConstrainedNetworkAccess = true
  /// Stored without effect: a session's files lie in the state folder of its user.
  public override var sharedContainerIdentifier: String? {
    get { container }
    set { container = newValue }
  }

  /// Stored without effect: transfers of a background session always wait for a network.
  public var waitsForConnectivity = true
  /// Stored without effect.
  public var multipathServiceType = MultipathServiceType.none

  /// How several networks are used at once; after Apple's type of this name, which Linux lacks.
  public enum MultipathServiceType: Int, Hashable, Sendable {
    /// One network at a time.
    case none
    /// A second network takes over when the first is lost.
    case handover
    /// The network with the shorter delay is used.
    case interactive
    /// All networks are used together.
    case aggregate
  }

  private var container: String?

  // The superclass has no other initialiser, and its deprecation is meant for callers that want `default`.
  @available(*, deprecated)
  fileprivate init(session: String) {
    super.init()
    identifier = session
  }

  /// Set while this module makes a session of a configuration, which copies it.
  @TaskLocal static var isExpected = false

  /// A copy with the same values.
  ///
  /// FoundationNetworking copies it, too, for a session that transfers in this process; a message says so.
  public override func copy(with zone: NSZone? = nil) -> Any {
    if !Self.isExpected {
      StandardError.say(
        "the configuration of the session \(identifier ?? "") was copied outside of"
          + " BackgroundTasksNetworking: a session made of it by FoundationNetworking transfers in this"
          + " process, and ends with it; give its variable the type BackgroundSessionConfiguration")
    }
    let copy = Self.named(identifier ?? "")
    copy.sessionSendsLaunchEvents = sessionSendsLaunchEvents
    copy.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
    copy.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
    copy.container = container
    copy.waitsForConnectivity = waitsForConnectivity
    copy.multipathServiceType = multipathServiceType
    copy.requestCachePolicy = requestCachePolicy
    copy.timeoutIntervalForRequest = timeoutIntervalForRequest
    copy.timeoutIntervalForResource = timeoutIntervalForResource
    copy.networkServiceType = networkServiceType
    copy.allowsCellularAccess = allowsCellularAccess
    copy.isDiscretionary = isDiscretionary
    copy.connectionProxyDictionary = connectionProxyDictionary
    copy.httpShouldSetCookies = httpShouldSetCookies
    copy.httpCookieAcceptPolicy = httpCookieAcceptPolicy
    copy.httpAdditionalHeaders = httpAdditionalHeaders
    copy.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
    copy.httpCookieStorage = httpCookieStorage
    copy.urlCredentialStorage = urlCredentialStorage
    copy.urlCache = urlCache
    copy.protocolClasses = protocolClasses
    return copy
  }

  static func named(_ session: String) -> BackgroundSessionConfiguration {
    (Self.self as any NamedConfiguration.Type).make(session)
  }
}

/// Calls the deprecated initialiser without a warning.
private protocol NamedConfiguration {
  static func make(_ session: String) -> BackgroundSessionConfiguration
}

extension BackgroundSessionConfiguration: NamedConfiguration {
  @available(*, deprecated)
  fileprivate static func make(_ session: String) -> BackgroundSessionConfiguration {
    BackgroundSessionConfiguration(session: session)
  }
}

extension URLSessionConfiguration {
  /// A configuration of a session whose transfers the runner makes: they continue after this program ends, and
  /// the next process that makes a session with this identifier gets them back.
  public static func background(
    withIdentifier identifier: String
  ) -> BackgroundSessionConfiguration {
    .named(identifier)
  }
}
