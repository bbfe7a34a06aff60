import BackgroundTasksNetworking

// A program with a background session: a person starts it with its steps, and the runner launches it for the
// session's events, which it notes as well.

let environment = ProcessInfo.processInfo.environment
let diary = Diary(environment["PROBE_DIARY"] ?? "/dev/null")

if BGTaskScheduler.shared.isWorker {
  let program = AppDelegate(diary, environment["PROBE_SESSION"] ?? "probe")
  UIApplication.shared.delegate = program
  withExtendedLifetime(program) { BGTaskScheduler.shared.runUntilComplete() }
} else {
  var script = Script(diary, environment["PROBE_SESSION"] ?? "probe")
  await script.run(Array(CommandLine.arguments.dropFirst()))
}

/// The launched form of the program.
final class AppDelegate: UIResponder, UIApplicationDelegate {
  private let diary: Diary
  private let name: String
  private var session: URLSession?
  private var completion: (() -> Void)?

  override init() { preconditionFailure("it is made with a diary") }

  init(_ diary: Diary, _ name: String) {
    self.diary = diary
    self.name = name
    super.init()
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    diary.note("launched", identifier)
    completion = completionHandler
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let isPlain = ProcessInfo.processInfo.environment["PROBE_PLAIN"] != nil
    let kind = isPlain ? Delegate.self : EventsDelegate.self
    let delegate = kind.init(diary) { [weak self] in self?.completion?() }
    session = URLSession(
      configuration: .background(withIdentifier: identifier), delegate: delegate,
      delegateQueue: queue)
  }
}
