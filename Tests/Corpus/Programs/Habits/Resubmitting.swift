import BackgroundTasks

// When an app asks for its next turn, and how it takes requests back.

private let base = "org.example.corpus"

private func scheduleNext(_ identifier: String) {
  let request = BGAppRefreshTaskRequest(identifier: identifier)
  request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
  do {
    try BGTaskScheduler.shared.submit(request)
  } catch {
    Diary.note("lost: \(error.localizedDescription)")
  }
}

/// A refresh that is launched three times, and whose next request must always be there.
private func chain(
  _ name: String, _ handler: @escaping @Sendable (BGTask, String) -> Void
) -> Habit {
  let identifier = "\(base).\(name).refresh"
  return Habit(
    name: name,
    launch: {
      BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
        handler(task, identifier)
      }
    },
    use: { stage in
      scheduleNext(identifier)
      for turn in 1...3 {
        try stage.launch(identifier)
        let ended = await stage.ends(of: identifier, count: turn)
        stage.expectEqual(ended.map(\.outcome), [.succeeded].repeated(turn), "outcomes")
        let next = await BGTaskScheduler.shared.taskRecord(forTaskWithIdentifier: identifier) {
          $0.state == .queued
        }
        stage.expectEqual(next?.number, UInt64(turn + 1), "the next request")
      }
      stage.expectEqual(Diary.lines, ["fetched"].repeated(3), "diary")
    })
}

extension Habit {
  static let resubmitting = [
    chain("before") { task, identifier in
      scheduleNext(identifier)
      Diary.note("fetched")
      task.setTaskCompleted(success: true)
    },
    chain("within") { task, identifier in
      Task {
        Diary.note("fetched")
        await Task.yield()
        scheduleNext(identifier)
        task.setTaskCompleted(success: true)
      }
    },
    chain("after") { task, identifier in
      DispatchQueue.global().async {
        Diary.note("fetched")
        task.setTaskCompleted(success: true)
        scheduleNext(identifier)
      }
    },
    chain("itself") { task, identifier in
      BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
      scheduleNext(identifier)
      Diary.note("fetched")
      task.setTaskCompleted(success: true)
    },
    chain("all") { task, identifier in
      BGTaskScheduler.shared.cancelAllTaskRequests()
      scheduleNext(identifier)
      Diary.note("fetched")
      task.setTaskCompleted(success: true)
    },
    Habit(
      name: "cancel",
      launch: {
        for name in ["a", "b", "c"] {
          BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "\(base).cancel.\(name)", using: nil
          ) { $0.setTaskCompleted(success: true) }
        }
      },
      use: { stage in
        for name in ["a", "b", "c"] {
          let request = BGProcessingTaskRequest(identifier: "\(base).cancel.\(name)")
          request.earliestBeginDate = Date(timeIntervalSinceNow: 3600)
          request.requiresExternalPower = name == "c"
          try BGTaskScheduler.shared.submit(request)
        }
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: "\(base).cancel.a")
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: "\(base).cancel.never")
        let pending = await BGTaskScheduler.shared.pendingTaskRequests()
        stage.expectEqual(
          pending.map(\.identifier).sorted(), ["b", "c"].map { "\(base).cancel.\($0)" }, "pending")
        stage.expectEqual(
          pending.compactMap { $0 as? BGProcessingTaskRequest }.filter(\.requiresExternalPower)
            .map(\.identifier), ["\(base).cancel.c"], "kept power")
        BGTaskScheduler.shared.cancelAllTaskRequests()
        stage.expectEqual(await stage.pending(), [], "nothing is left")
      }),
    Habit(
      name: "again",
      launch: {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).again.export", using: nil
        ) { task in
          task.progress.totalUnitCount = 2
          task.progress.completedUnitCount = 1
          task.expirationHandler = { task.setTaskCompleted(success: false) }
          Diary.note("began")
        }
      },
      use: { stage in
        let identifier = "\(base).again.export"
        let request = BGContinuedProcessingTaskRequest(
          identifier: identifier, title: "Export", subtitle: "")
        try BGTaskScheduler.shared.submit(request)
        await stage.start(of: identifier)
        try BGTaskScheduler.shared.submit(request)
        stage.expectEqual(await stage.pending(), [identifier], "the second waits")
        request.strategy = .fail
        do {
          try BGTaskScheduler.shared.submit(request)
          stage.expect(false, "with .fail it is refused")
        } catch BGTaskScheduler.Error.immediateRunIneligible {
          // Code 4, as it should be.
        }
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
        let first = await BGTaskScheduler.shared.taskRecords().first
        stage.expectEqual(first?.state, .running, "the first goes on")
        try BGTaskScheduler.shared.simulateExpiration(forTaskWithIdentifier: identifier)
        let ended = await stage.ends(of: identifier, count: 2)
        stage.expectEqual(ended.map(\.outcome), [.expired, .cancelled], "outcomes")
      }),
  ]
}
