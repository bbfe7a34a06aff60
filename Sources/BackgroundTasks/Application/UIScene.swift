internal import Foundation

/// The visible part of an app, which here is only its life cycle; after UIKit's class of this name.
@preconcurrency @MainActor
open class UIScene: UIResponder {
  /// The reasons for connecting a scene; always empty here.
  @preconcurrency @MainActor
  public final class ConnectionOptions {
    init() {}
  }

  /// The current state of a scene; after UIKit's type of this name.
  public enum ActivationState: Int, Hashable, Sendable {
    /// It is not connected.
    case unattached = -1
    /// A person uses the app.
    case foregroundActive = 0
    /// The person is leaving the app.
    case foregroundInactive = 1
    /// The person has left, or the process was launched for a task.
    case background = 2
  }

  /// The session that it is the scene of.
  public let session: UISceneSession

  /// Receives the events of its life cycle.
  public var delegate: (any UISceneDelegate)?

  init(session: UISceneSession) {
    self.session = session
    super.init()
  }

  /// The current state.
  public var activationState: ActivationState {
    switch UIApplication.shared.scenePhase {
    case .active: .foregroundActive
    case .inactive: .foregroundInactive
    case .background: .background
    }
  }
}

/// A scene with windows, which do not exist here; after UIKit's class of this name.
@preconcurrency @MainActor
open class UIWindowScene: UIScene {}

/// A window without a screen, so that the variable for it can be declared; after UIKit's class of this name.
@preconcurrency @MainActor
open class UIWindow: UIResponder {
  /// A window.
  public override init() { super.init() }

  /// A window of this scene.
  public convenience init(windowScene: UIWindowScene) { self.init() }
}

/// Which of an app's scenes one is; after UIKit's class of this name.
@preconcurrency @MainActor
public final class UISceneSession: Hashable {
  /// The purpose of a scene; after UIKit's type of this name.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The role's name.
    public let rawValue: String

    /// The role of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Scenes that a person uses.
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
  }

  /// The purpose of the scene.
  public let role = Role.windowApplication
  /// The same for all runs of the program, because there is only one session.
  public nonisolated let persistentIdentifier = "main"

  init() {}

  /// Whether they are the same.
  public nonisolated static func == (left: UISceneSession, right: UISceneSession) -> Bool {
    left === right
  }

  /// Tells them apart.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// How a scene is made; after UIKit's class of this name.
@preconcurrency @MainActor
public final class UISceneConfiguration {
  /// Its name in the `Info.plist`.
  public let name: String?
  /// The purpose of the scene.
  public let role: UISceneSession.Role
  /// The class of its delegate: a subclass of `UIResponder` that conforms to `UISceneDelegate`.
  public var delegateClass: AnyClass?
  /// Kept for the code that sets it.
  public var sceneClass: AnyClass?

  /// A configuration; its delegate's class is the one named in the app's `Info.plist`.
  public init(name: String?, sessionRole: UISceneSession.Role) {
    (self.name, role) = (name, sessionRole)
    delegateClass = Self.delegateClass(named: name)
  }

  /// `UIApplicationSceneManifest` of the `Info.plist`: the first configuration of the role, or the one with the name.
  private static func delegateClass(named name: String?) -> AnyClass? {
    let manifest = Bundle.main.object(forInfoDictionaryKey: "UIApplicationSceneManifest")
    let roles = (manifest as? [String: Any])?["UISceneConfigurations"] as? [String: Any]
    let all = roles?[UISceneSession.Role.windowApplication.rawValue] as? [[String: Any]] ?? []
    let meant = all.first { $0["UISceneConfigurationName"] as? String == name } ?? all.first
    return (meant?["UISceneDelegateClassName"] as? String).flatMap { NSClassFromString($0) }
  }
}

/// Receives the events of a scene's life cycle; after UIKit's protocol of this name.
@preconcurrency @MainActor
public protocol UISceneDelegate: AnyObject {
  /// The scene is there, in a process that a person has started.
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
  /// The process ends.
  func sceneDidDisconnect(_ scene: UIScene)
  /// The app is about to stay for its person.
  func sceneWillEnterForeground(_ scene: UIScene)
  /// The app stays for its person.
  func sceneDidBecomeActive(_ scene: UIScene)
  /// The person leaves the program.
  func sceneWillResignActive(_ scene: UIScene)
  /// The person has left the program: the place to ask for refreshes.
  func sceneDidEnterBackground(_ scene: UIScene)
}

extension UISceneDelegate {
  /// Has no effect.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  /// Has no effect.
  public func sceneDidDisconnect(_ scene: UIScene) {}
  /// Has no effect.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// Has no effect.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// Has no effect.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// Has no effect.
  public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// The same with a window; after UIKit's protocol of this name.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
  /// Its window.
  var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
  /// None.
  public var window: UIWindow? {
    get { nil }
    set {}
  }
}

extension UIApplication {
  /// Makes the app's scene and its delegate, in a process that a person has started.
  func connectScene() {
    guard !BGTaskScheduler.shared.isWorker, let delegate else { return }
    let session = UISceneSession()
    let options = UIScene.ConnectionOptions()
    let configuration = delegate.application(
      self, configurationForConnecting: session, options: options)
    guard let type = configuration.delegateClass as? UIResponder.Type,
      let sceneDelegate = UIResponderConstruction.make(type) as? any UISceneDelegate
    else { return }
    let scene = UIWindowScene(session: session)
    scene.delegate = sceneDelegate
    connectedScenes = [scene]
    sceneDelegate.scene(scene, willConnectTo: session, options: options)
  }

  func tellScenes(_ body: (any UISceneDelegate, UIScene) -> Void) {
    for scene in connectedScenes {
      if let delegate = scene.delegate { body(delegate, scene) }
    }
  }
}
