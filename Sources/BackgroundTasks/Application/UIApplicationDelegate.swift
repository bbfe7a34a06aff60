public import Foundation

/// Receives an app's launch and end; after UIKit's protocol of this name, with the methods that are called
/// here.
///
/// With `@main`, a class that derives from `UIResponder` is the whole program: a person may start it,
/// and the runner launches it for its tasks.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: AnyObject {
  /// The place to register handlers: called first, in every launch.
  ///
  /// - Returns: Ignored.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// The app stays for its person; not called when it was launched for a task.
  func applicationDidBecomeActive(_ application: UIApplication)

  /// The person leaves the program, right before `applicationDidEnterBackground(_:)`.
  func applicationWillResignActive(_ application: UIApplication)

  /// The person leaves the program, which got SIGTERM, SIGINT or SIGHUP: the place to ask for
  /// refreshes.
  func applicationDidEnterBackground(_ application: UIApplication)

  /// The process was launched for the events of a background session: make the session again, and call
  /// `completionHandler` once its delegate has heard of all that happened.
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)

  /// Which scene the app has; asked once, for the scene of this process.
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration

  /// Scenes are not restored after they were closed.
  func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

  /// Pushes reach the program by this token: the identifier for `jobrun push`, as UTF-8.
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  )

  /// Pushes cannot reach the program; the error gives the reason.
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

  /// Never called: ask for a refresh by a `BGAppRefreshTaskRequest`.
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  )

  /// The process ends.
  func applicationWillTerminate(_ application: UIApplication)

  /// A push has woken the program, which has 30 seconds.
  ///
  /// `userInfo`: the members of the object that was sent.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

  /// The same as an `async` function.
  ///
  /// - Returns: The result of the push.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: sending [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult
}

extension UIApplicationDelegate {
  /// Has no effect.
  ///
  /// - Returns: True.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  /// Has no effect.
  public func applicationDidBecomeActive(_ application: UIApplication) {}

  /// Has no effect.
  public func applicationWillResignActive(_ application: UIApplication) {}

  /// Has no effect.
  public func applicationDidEnterBackground(_ application: UIApplication) {}

  /// Completes at once.
  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) { completionHandler() }

  /// The configuration of the app's `Info.plist`.
  ///
  /// - Returns: One without a delegate where that names none.
  public func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
  }

  /// Has no effect.
  public func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {}

  /// Has no effect.
  public func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {}

  /// Has no effect.
  public func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {}

  /// Never called.
  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { completionHandler(.noData) }

  /// Has no effect.
  public func applicationWillTerminate(_ application: UIApplication) {}
}

extension UIApplicationDelegate where Self: UIResponder {
  /// Makes the delegate, calls it to register its handlers, and runs.
  public static func main() {
    let delegate = UIResponderConstruction.make(Self.self)
    UIApplication.shared.delegate = delegate
    _ = delegate.application(.shared, didFinishLaunchingWithOptions: nil)
    UIApplication.registerPush()
    UIApplication.shared.connectScene()
    withExtendedLifetime(delegate) { UIApplication.shared.run() }
  }
}
