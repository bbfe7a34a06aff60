@preconcurrency import BackgroundTasks

// Code between the old and the new: extensions of the framework's classes, callbacks within callbacks,
// handlers that block, a race against the clock, notifications of the app's life.

private let base = "org.example.corpus"

private enum Kind: String, CaseIterable {
  case news, images
}

extension BGProcessingTaskRequest {
  fileprivate convenience init(_ kind: Kind, power: Bool = false) {
    self.init(identifier: "\(base).extension.\(kind.rawValue)")
    requiresExternalPower = power
    earliestBeginDate = Calendar.current.date(byAdding: .hour, value: 6, to: Date())
  }
}

extension BGTaskScheduler {
  fileprivate func identifiersThatWait() async -> Set<String> {
    await withCheckedContinuation { continuation in
      getPendingTaskRequests { requests in
        continuation.resume(returning: Set(requests.map(\.identifier)))
      }
    }
  }

  fileprivate func submitIgnoringErrors(_ request: BGTaskRequest) -> Bool {
    do {
      try submit(request)
      return true
    } catch {
      return false
    }
  }
}

extension BGTask {
  fileprivate func complete<Success>(with result: Result<Success, any Error>) {
    if case .success = result {
      setTaskCompleted(success: true)
    } else {
      setTaskCompleted(success: false)
    }
  }
}

/// Queries the pending requests, and submits from the callback.
private func ensureScheduled(_ identifier: String, then done: @escaping @Sendable (Bool) -> Void) {
  BGTaskScheduler.shared.getPendingTaskRequests { requests in
    guard !requests.contains(where: { $0.identifier == identifier }) else { return done(false) }
    let request = BGAppRefreshTaskRequest(identifier: identifier)
    request.earliestBeginDate = Date().addingTimeInterval(30 * 60)
    done((try? BGTaskScheduler.shared.submit(request)) != nil)
  }
}

/// The old way: the handler waits for callbacks and returns when all is done.
private func blockUntilDone(_ task: BGTask) {
  let group = DispatchGroup()
  let finished = DispatchSemaphore(value: 0)
  for part in 1...3 {
    group.enter()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(part)) { group.leave() }
  }
  group.notify(queue: .global()) { finished.signal() }
  let result = finished.wait(timeout: .now() + 25)
  Diary.note(result == .success ? "all parts" : "too late")
  task.setTaskCompleted(success: result == .success)
}

private struct OutOfTime: Error {}

/// The work, but no longer than a refresh may take.
private func race(_ seconds: Double, _ work: @escaping @Sendable () async throws -> String)
  async throws -> String
{
  try await withThrowingTaskGroup(of: String.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
      throw OutOfTime()
    }
    defer { group.cancelAll() }
    return try await group.next() ?? ""
  }
}

private func refreshInTime(_ task: BGAppRefreshTask) {
  let work = Task {
    do {
      Diary.note(try await race(25) { "in time" })
      _ = try await race(0.01) {
        try await Task.sleep(nanoseconds: 60_000_000_000)
        return "never"
      }
      task.complete(with: .success(()))
    } catch {
      Diary.note("\(error)")
      task.complete(with: Result<Void, any Error>.failure(error))
    }
  }
  task.expirationHandler = work.cancel
}

@MainActor
private final class LifeObserver {
  private var tokens: [any NSObjectProtocol] = []

  func start() {
    let names = [
      UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
      UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
      UIApplication.willTerminateNotification,
      UIApplication.backgroundRefreshStatusDidChangeNotification,
    ]
    tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
        MainActor.assumeIsolated { self.schedule() }
      }
    }
  }

  func schedule() {
    switch UIApplication.shared.backgroundRefreshStatus {
    case .available:
      let request = BGAppRefreshTaskRequest(identifier: "\(base).life.refresh")
      if !BGTaskScheduler.shared.submitIgnoringErrors(request) { Diary.note("refused") }
    case .denied, .restricted: Diary.note("not available")
    @unknown default: break
    }
  }
}

extension Habit {
  static let bridging = [
    Habit(
      name: "extension",
      launch: {
        for kind in Kind.allCases {
          let identifier = "\(base).extension.\(kind.rawValue)"
          BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            Diary.note(kind.rawValue)
            task.complete(with: Result { try kind == .news ? 1 : { throw OutOfTime() }() })
          }
        }
      },
      use: { stage in
        let requests = [BGProcessingTaskRequest(.news), BGProcessingTaskRequest(.images)]
        for request in requests {
          stage.expect(BGTaskScheduler.shared.submitIgnoringErrors(request), request.identifier)
        }
        stage.expectEqual(
          await BGTaskScheduler.shared.identifiersThatWait(), Set(requests.map(\.identifier)),
          "waiting")
        var outcomes: [BGTaskRecord.Outcome?] = []
        for request in requests {
          try stage.launch(request.identifier)
          outcomes += await stage.ends(of: request.identifier).map(\.outcome)
        }
        stage.expectEqual(outcomes, [.succeeded, .failed], "outcomes")
        stage.expectEqual(Diary.lines, ["news", "images"], "diary")
      }),
    Habit(
      name: "nested",
      launch: {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).nested.refresh", using: nil
        ) { task in
          // Completed only once the next turn is sure.
          ensureScheduled(task.identifier) { isNew in
            Diary.note("\(isNew)")
            task.setTaskCompleted(success: isNew)
          }
        }
      },
      use: { stage in
        let identifier = "\(base).nested.refresh"
        for isFirst in [true, false] {
          let isNew = await withCheckedContinuation { continuation in
            ensureScheduled(identifier) { continuation.resume(returning: $0) }
          }
          stage.expectEqual(isNew, isFirst, "asked")
        }
        try stage.launch(identifier)
        let ended = await stage.ends(of: identifier)
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(await stage.pending(), [identifier], "pending")
        stage.expectEqual(Diary.lines, ["true"], "diary")
      }),
    Habit(
      name: "semaphore",
      launch: {
        let queue = DispatchQueue(label: "org.example.corpus.background", qos: .utility)
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).semaphore.fetch", using: queue
        ) { blockUntilDone($0) }
      },
      use: { stage in
        try BGTaskScheduler.shared.submit(
          BGAppRefreshTaskRequest(identifier: "\(base).semaphore.fetch"))
        let ended = await stage.ends(of: "\(base).semaphore.fetch")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["all parts"], "diary")
      }),
    Habit(
      name: "race",
      launch: {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).race.refresh", using: nil
        ) { task in
          // swift-format-ignore: NeverForceUnwrap
          refreshInTime(task as! BGAppRefreshTask)
        }
      },
      use: { stage in
        try BGTaskScheduler.shared.submit(
          BGAppRefreshTaskRequest(identifier: "\(base).race.refresh"))
        let ended = await stage.ends(of: "\(base).race.refresh")
        stage.expectEqual(ended.map(\.outcome), [.failed], "outcome")
        stage.expectEqual(Diary.lines, ["in time", "OutOfTime()"], "diary")
      }),
    Habit(
      name: "onward",
      launch: {
        let heavy = "\(base).onward.heavy"
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).onward.light", using: nil
        ) { task in
          defer { task.setTaskCompleted(success: true) }
          Diary.note("there is much to do")
          let request = BGProcessingTaskRequest(identifier: heavy)
          request.requiresExternalPower = false
          guard BGTaskScheduler.shared.submitIgnoringErrors(request) else {
            return Diary.note("refused")
          }
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: heavy, using: nil) { task in
          Diary.note("did it")
          task.setTaskCompleted(success: true)
        }
      },
      use: { stage in
        try BGTaskScheduler.shared.submit(
          BGAppRefreshTaskRequest(identifier: "\(base).onward.light"))
        let ended =
          await stage.ends(of: "\(base).onward.light") + stage.ends(of: "\(base).onward.heavy")
        stage.expectEqual(ended.map(\.outcome), [.succeeded, .succeeded], "outcomes")
        stage.expectEqual(Diary.lines, ["there is much to do", "did it"], "diary")
      }),
    Habit(
      name: "life",
      launch: {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).life.refresh", using: nil
        ) { $0.complete(with: Result<Void, any Error>.success(())) }
      },
      use: { stage in
        let observer = LifeObserver()
        observer.start()
        NotificationCenter.default.post(
          name: UIApplication.didEnterBackgroundNotification, object: UIApplication.shared)
        let ended = await stage.ends(of: "\(base).life.refresh")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, [], "diary")
      }),
  ]
}
