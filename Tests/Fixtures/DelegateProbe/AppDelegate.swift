import BackgroundTasks

private let base = "org.example.app"

private func tell(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// An app of UIKit's shape: a person starts and leaves it, and the runner launches it for its tasks.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  private let greeting: String

  override init() {
    greeting = "launched"
    super.init()
  }

  func application(
    _ application: UIApplication, configurationForConnecting session: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(name: "Default", sessionRole: session.role)
    if ProcessInfo.processInfo.environment["PROBE_SCENE"] != nil {
      configuration.delegateClass = SceneDelegate.self
    }
    return configuration
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    let scheduler = BGTaskScheduler.shared
    scheduler.register(forTaskWithIdentifier: "\(base).look", using: nil) { task in
      tell("looked")
      task.setTaskCompleted(success: true)
    }
    scheduler.register(forTaskWithIdentifier: "\(base).patient", using: nil, launchHandler: wait)
    scheduler.register(forTaskWithIdentifier: "\(base).upload", using: nil, launchHandler: wait)
    scheduler.register(forTaskWithIdentifier: "\(base).weary", using: nil) { task in
      self.wait(task)
      task.cancel()
    }
    tell("\(greeting) \(application.applicationState)")
    // Once the program waits for signals.
    DispatchQueue.main.async { tell("stays") }
    if ProcessInfo.processInfo.environment["PROBE_UPLOADS"] != nil { upload() }
    if ProcessInfo.processInfo.environment["PROBE_PUSHES"] != nil {
      application.registerForRemoteNotifications()
    }
    return true
  }

  /// Works until it is stopped.
  private nonisolated func wait(_ task: BGTask) {
    task.progress.totalUnitCount = 10
    task.expirationHandler = {
      tell("expired \(task.stopReason?.rawValue ?? "")")
      task.setTaskCompleted(success: false)
    }
    tell("began")
    guard let path = ProcessInfo.processInfo.environment["PROBE_ENDS_WITH"] else { return }
    // Until a file appears.
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now(), repeating: .milliseconds(20))
    timer.setEventHandler {
      guard FileManager.default.fileExists(atPath: path) else { return }
      timer.cancel()
      task.progress.completedUnitCount = 10
      tell("done")
      task.setTaskCompleted(success: true)
    }
    timer.activate()
  }

  private func upload() {
    do {
      try BGTaskScheduler.shared.submit(
        BGContinuedProcessingTaskRequest(
          identifier: "\(base).upload", title: "Upload", subtitle: "Photos"))
    } catch {
      tell("refused: \(error)")
    }
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    tell("pushes for \(String(decoding: deviceToken, as: UTF8.self))")
  }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    tell("no pushes: \(error.localizedDescription)")
  }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    tell("unread \(userInfo["unread"] ?? "nothing")")
    completionHandler(.newData)
    completionHandler(.failed)
  }

  func applicationDidBecomeActive(_ application: UIApplication) { tell("active") }
  func applicationWillResignActive(_ application: UIApplication) {
    tell("resigns \(application.applicationState)")
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    tell("background \(application.applicationState)")
    let saving = application.beginBackgroundTask(withName: "save")
    DispatchQueue.global().async {
      for request in Self.requests {
        request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
        do { try BGTaskScheduler.shared.submit(request) } catch { tell("refused: \(error)") }
      }
      tell("saved")
      application.endBackgroundTask(saving)
    }
  }

  private nonisolated static var requests: [BGTaskRequest] {
    [BGAppRefreshTaskRequest(identifier: "\(base).look")]
      + ["patient", "weary"].map { BGProcessingTaskRequest(identifier: "\(base).\($0)") }
  }

  func applicationWillTerminate(_ application: UIApplication) {
    tell("terminates")
  }
}

/// A scene of UIKit's shape, which receives the same events.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene else { return }
    window = UIWindow(windowScene: scene)
    tell("scene connects")
  }

  func sceneDidBecomeActive(_ scene: UIScene) { tell("scene active") }
  func sceneDidEnterBackground(_ scene: UIScene) { tell("scene background") }
}
