public import Foundation

/// The program as an app's code sees it, as far as that is about background work; after UIKit's class of
/// this name.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
  /// Whether a person uses the app; after UIKit's type of this name.
  public enum State: Int, Hashable, Sendable {
    /// A person has started the program and not left it.
    case active = 0
    /// Never here.
    case inactive = 1
    /// The runner launched the process for a task, or the person is leaving the program.
    case background = 2
  }

  /// Why an app was launched; no key is ever given here.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The key's name.
    public let rawValue: String

    /// The key of this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// The application of this process.
  public nonisolated static let shared = UIApplication(ofProcess: ())

  /// Receives the app's launch and end.
  public weak var delegate: (any UIApplicationDelegate)?

  /// The scene that the delegate has a delegate for; none in a process that was launched for a task.
  public internal(set) var connectedScenes: [UIScene] = []

  /// Whether this process has registered itself for pushes.
  public internal(set) var isRegisteredForRemoteNotifications = false

  /// Reports changes to the app's scene; nil in an app with a delegate.
  var observer: SceneObserver?
  private var isEnding = false
  private var hasLeft = false

  /// Whether a person uses the app; its scene receives each change.
  private(set) lazy var scenePhase: ScenePhase =
    BGTaskScheduler.shared.isWorker ? .background : .inactive
  {
    didSet { observer?.update() }
  }

  /// Use `shared`.
  public override init() {
    super.init()
  }

  private nonisolated init(ofProcess: ()) {
    super.init(beside: ())
  }
}

// Time in the background.
extension UIApplication {
  /// Begins work that a stop must not interrupt; see `BGTaskScheduler.beginBackgroundTask`.
  ///
  /// - Returns: The argument for `endBackgroundTask(_:)`; `.invalid` when time is already up.
  @preconcurrency
  public nonisolated func beginBackgroundTask(
    withName name: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    BGTaskScheduler.shared.beginBackgroundTask(withName: name, expirationHandler: handler)
  }

  /// Begins work that a stop must not interrupt; see `BGTaskScheduler.beginBackgroundTask`.
  ///
  /// - Returns: The argument for `endBackgroundTask(_:)`; `.invalid` when time is already up.
  @preconcurrency
  public nonisolated func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(withName: nil, expirationHandler: handler)
  }

  /// Ends the work of a `beginBackgroundTask`; `.invalid` is ignored.
  public nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    BGTaskScheduler.shared.endBackgroundTask(identifier)
  }

  /// Seconds until the task that the caller works for is ended; the largest number as long as it may
  /// run.
  public var backgroundTimeRemaining: TimeInterval {
    BGTaskScheduler.shared.backgroundTimeRemaining
  }

  /// Whether the app may ask for refreshes: it may, unless a person has turned background work off for
  /// its bundle (`jobrun settings`).
  public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
    BGTaskScheduler.shared.place.mayRefresh ? .available : .denied
  }

  /// Never posted here: `backgroundRefreshStatus` reads the current setting.
  public nonisolated static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
    "UIApplicationBackgroundRefreshStatusDidChangeNotification")
}

// Its life.
extension UIApplication {
  /// Posted once the app stays for its person.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Posted when the person leaves the program, right before `didEnterBackgroundNotification`.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Never posted here, because an app cannot return to the foreground.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// Posted when the person leaves the program: it got SIGTERM, SIGINT or SIGHUP.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Posted right before the process ends.
  public nonisolated static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")

  /// Whether a person uses the app.
  public var applicationState: State {
    scenePhase == .background ? .background : .active
  }

  /// Runs the task that this process was launched for; a process that a person has started stays until the
  /// person leaves.
  func run() -> Never {
    if BGTaskScheduler.shared.isWorker { BGTaskScheduler.shared.runUntilComplete() }
    SignalStop.install { signal in Task { @MainActor in self.leave(by: signal) } }
    tellScenes { $0.sceneWillEnterForeground($1) }
    scenePhase = .active
    tellScenes { $0.sceneDidBecomeActive($1) }
    delegate?.applicationDidBecomeActive(self)
    NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  /// As on iOS: first the app enters the background, where apps submit their next refresh; the process exits
  /// once its work has ended or time is up.
  ///
  /// Tasks that a person has started continue after they close the terminal, or press Ctrl-C once; the process
  /// exits with the last of them. A second Ctrl-C, and SIGTERM, stop all tasks, and the process waits for their
  /// ends.
  private func leave(by signal: SignalStop.Number) {
    if scenePhase == .active { enterBackground() }
    let running = BGTaskScheduler.shared.running
    let goesOn = signal.endsWork ? 0 : running.continuedCount
    if goesOn > 0 {
      if !hasLeft { StandardError.say(SignalStop.sentence(goesOn)) }
      hasLeft = true
      return running.whenNoneContinued {
        Task { @MainActor in self.end(TaskLife.Stop(reason: .signal, deadlineNanoseconds: 0)) }
      }
    }
    end(TaskLife.Stop(reason: .signal, deadlineNanoseconds: 0))
  }

  private func enterBackground() {
    delegate?.applicationWillResignActive(self)
    tellScenes { $0.sceneWillResignActive($1) }
    scenePhase = .inactive
    NotificationCenter.default.post(name: Self.willResignActiveNotification, object: self)
    scenePhase = .background
    tellScenes { $0.sceneDidEnterBackground($1) }
    delegate?.applicationDidEnterBackground(self)
    NotificationCenter.default.post(name: Self.didEnterBackgroundNotification, object: self)
  }

  private func end(_ stop: TaskLife.Stop) {
    guard !isEnding else { return }
    isEnding = true
    let holds = BGTaskScheduler.shared.holds
    BGTaskScheduler.shared.running.stop(stop) { task in
      let end = holds.begin("the end of \(task.identifier)", for: ObjectIdentifier(self))
      return { if let end { holds.end(end) } }
    }
    holds.whenReleased(by: ObjectIdentifier(self)) {
      Task { @MainActor in
        self.tellScenes { $0.sceneDidDisconnect($1) }
        self.delegate?.applicationWillTerminate(self)
        NotificationCenter.default.post(name: Self.willTerminateNotification, object: self)
        exit(0)
      }
    }
  }
}

/// Whether an app may ask for refreshes; after UIKit's type of this name.
public enum UIBackgroundRefreshStatus: Int, Hashable, Sendable {
  /// It is unavailable, and the user cannot change that.
  case restricted = 0
  /// The user has turned it off.
  case denied = 1
  /// It may.
  case available = 2
}
