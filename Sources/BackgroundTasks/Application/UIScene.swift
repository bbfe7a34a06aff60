internal import Foundation

/// What a person sees of an app, which here is nothing but its life; after UIKit's class of this name.
@preconcurrency @MainActor
open class UIScene: UIResponder {
  /// Why a scene is connected; nothing is ever given here.
  @preconcurrency @MainActor
  public final class ConnectionOptions {
    init() {}
  }

  /// What a scene is at this moment; after UIKit's type of this name.
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

  /// What is told of its life.
  public var delegate: (any UISceneDelegate)?

  init(session: UISceneSession) {
    self.session = session
    super.init()
  }

  /// What it is at this moment.
  public var activationState: ActivationState {
    switch UIApplication.shared.scenePhase {
    case .active: .foregroundActive
    case .inactive: .foregroundInactive
    case .background: .background
    }
  }
}

/// A scene with windows, of which there are none here; after UIKit's class of this name.
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
  /// What a scene is for; after UIKit's type of this name.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The role's name.
    public let rawValue: String

    /// The role of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Scenes that a person uses.
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
  }

  /// What the scene is for.
  public let role = Role.windowApplication
  /// The same for all runs of the program: there is one.
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
  /// What the scene is for.
  public let role: UISceneSession.Role
  /// The class of its delegate: one that derives from `UIResponder` and is a `UISceneDelegate`.
  public var delegateClass: AnyClass?
  /// Kept for the code that sets it.
  public var sceneClass: AnyClass?

  /// A configuration; its delegate's class is that which the app's `Info.plist` names.
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

/// What is told of a scene's life; after UIKit's protocol of this name.
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
  /// Does nothing.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// Does nothing.
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
