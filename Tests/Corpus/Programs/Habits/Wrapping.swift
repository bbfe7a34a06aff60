import BackgroundTasks

// Code that is tested with a mock has a protocol with Apple's signatures.

protocol TaskScheduling: AnyObject {
  func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool
  func submit(_ taskRequest: BGTaskRequest) throws
  func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws
  func cancel(taskRequestWithIdentifier identifier: String)
  func cancelAllTaskRequests()
  func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void)
}

extension BGTaskScheduler: TaskScheduling {}

protocol BackgroundWork: AnyObject {
  var identifier: String { get }
  var expirationHandler: (() -> Void)? { get set }
  func setTaskCompleted(success: Bool)
}

extension BGTask: BackgroundWork {}

final class MockScheduler: TaskScheduling {
  var registered: [String] = []
  var submitted: [BGTaskRequest] = []
  var error: (any Error)?

  func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    registered.append(identifier)
    return true
  }

  func submit(_ taskRequest: BGTaskRequest) throws {
    if let error { throw error }
    submitted.append(taskRequest)
  }

  func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws { try submit(taskRequest) }
  func cancel(taskRequestWithIdentifier identifier: String) {
    submitted.removeAll { $0.identifier == identifier }
  }
  func cancelAllTaskRequests() { submitted = [] }
  func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
    completionHandler(submitted)
  }
}

final class FeedUpdater {
  static let identifier = "org.example.corpus.wrapper.feed"
  private let scheduler: any TaskScheduling

  init(scheduler: any TaskScheduling = BGTaskScheduler.shared) {
    self.scheduler = scheduler
  }

  func register() -> Bool {
    scheduler.register(forTaskWithIdentifier: Self.identifier, using: nil) { task in
      Self.update(task)
    }
  }

  static func update(_ work: any BackgroundWork) {
    work.expirationHandler = { Diary.note("expired") }
    Diary.note("updated \(work.identifier)")
    work.setTaskCompleted(success: true)
  }

  func schedule() throws {
    let request = BGAppRefreshTaskRequest(identifier: Self.identifier)
    request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
    try scheduler.submit(request)
  }
}

extension Habit {
  static let wrapping = [
    Habit(
      name: "wrapper",
      launch: { _ = FeedUpdater().register() },
      use: { stage in
        let mock = MockScheduler()
        let tested = FeedUpdater(scheduler: mock)
        stage.expect(tested.register(), "the mock registers")
        try tested.schedule()
        stage.expectEqual(mock.submitted.map(\.identifier), [FeedUpdater.identifier], "mocked")
        mock.error = BGTaskScheduler.Error(.notPermitted)
        stage.expect((try? tested.schedule()) == nil, "the mock refuses")

        try FeedUpdater().schedule()
        try stage.launch(FeedUpdater.identifier)
        let ended = await stage.ends(of: FeedUpdater.identifier)
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["updated \(FeedUpdater.identifier)"], "diary")
      })
  ]
}
