/// What an app does at its beginning and its end; after UIKit's protocol of this name, of which it has
/// what is called here.
///
/// With `@main`, a class that derives from `UIResponder` is the whole program: a person may start it,
/// and the runner launches it for its tasks.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: AnyObject {
  /// The place to register handlers: called first, by whomever the process was launched.
  ///
  /// - Returns: What nobody asks about.
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

  /// The process ends.
  func applicationWillTerminate(_ application: UIApplication)

  /// A push has woken the program, which has 30 seconds; its definition's kind is `push`.
  ///
  /// `userInfo`: the members of the object that was sent.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

  /// The same as an `async` function.
  ///
  /// - Returns: What came of it.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: sending [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult
}

extension UIApplicationDelegate {
  /// Does nothing.
  ///
  /// - Returns: True.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  /// Does nothing.
  public func applicationDidBecomeActive(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationWillResignActive(_ application: UIApplication) {}

  /// Does nothing.
  public func applicationDidEnterBackground(_ application: UIApplication) {}

  /// Has nothing to wait for.
  public func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) { completionHandler() }

  /// Does nothing.
  public func applicationWillTerminate(_ application: UIApplication) {}
}

extension UIApplicationDelegate where Self: UIResponder {
  /// Makes the delegate, lets it register its handlers, and runs.
  public static func main() {
    let delegate = Self()
    UIApplication.shared.delegate = delegate
    _ = delegate.application(.shared, didFinishLaunchingWithOptions: nil)
    UIApplication.registerPush()
    withExtendedLifetime(delegate) { UIApplication.shared.run() }
  }
}
