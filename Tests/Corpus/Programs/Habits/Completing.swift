import BackgroundTasks

// How tasks end: twice, by their expiration, after cancelling their own progress.

private let base = "org.example.corpus"
/// The task to be expired has its handler; it runs in this process, on a real runner, too.
private let (handled, handledCompletion) = AsyncStream<Void>.makeStream()

/// The handler that completes its task twice has returned.
private let (returned, returnedCompletion) = AsyncStream<Void>.makeStream()

private func continued(_ identifier: String) -> BGContinuedProcessingTaskRequest {
  BGContinuedProcessingTaskRequest(identifier: identifier, title: "Working", subtitle: "Soon")
}

extension Habit {
  static let completing = [
    Habit(
      name: "twice",
      launch: {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).twice.refresh", using: DispatchQueue.global()
        ) { task in
          // The second call comes last.
          defer {
            task.setTaskCompleted(success: false)
            returnedCompletion.finish()
          }
          task.setTaskCompleted(success: true)
          Diary.note("done")
        }
      },
      use: { stage in
        try BGTaskScheduler.shared.submit(
          BGAppRefreshTaskRequest(identifier: "\(base).twice.refresh"))
        let ended = await stage.ends(of: "\(base).twice.refresh")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        if stage.isEmbedded { for await _ in returned {} }
        stage.expectEqual(Diary.lines, ["done"], "diary")
      }),
    Habit(
      name: "expiration",
      launch: {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).expiration.index", using: nil
        ) { task in
          let worker = DispatchQueue(label: "worker")
          let stopped = DispatchSemaphore(value: 0)
          task.expirationHandler = {
            Diary.note("expired")
            task.setTaskCompleted(success: false)
            stopped.signal()
          }
          handledCompletion.finish()
          task.progressForever(on: worker, until: stopped)
        }
      },
      use: { stage in
        try BGTaskScheduler.shared.submit(continued("\(base).expiration.index"))
        for await _ in handled {}
        // The runner is told of the start on another connection than of the expiry.
        await stage.start(of: "\(base).expiration.index")
        try BGTaskScheduler.shared.simulateExpiration(
          forTaskWithIdentifier: "\(base).expiration.index")
        let ended = await stage.ends(of: "\(base).expiration.index")
        stage.expectEqual(ended.map(\.outcome), [.expired], "outcome")
        stage.expectEqual(ended.first?.stopReason, .silent, "why")
        stage.expectEqual(Diary.lines, ["expired"], "diary")
      }),
    Habit(
      name: "progress",
      launch: {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).progress.download", using: nil
        ) { task in
          guard let task = task as? BGContinuedProcessingTask else { return }
          task.progress.totalUnitCount = 100
          task.progress.completedUnitCount = 40
          // Enough was found: the rest is not needed.
          task.progress.cancel()
          task.setTaskCompleted(success: true)
        }
      },
      use: { stage in
        try BGTaskScheduler.shared.submit(continued("\(base).progress.download"))
        let ended = await stage.ends(of: "\(base).progress.download")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(ended.first?.progress?.fraction, 0.4, "fraction")
      }),
  ]
}

extension BGTask {
  /// Reports on its own queue until it is stopped.
  fileprivate func progressForever(on queue: DispatchQueue, until stopped: DispatchSemaphore) {
    queue.async {
      self.progress.totalUnitCount = 1_000_000
      while stopped.wait(timeout: .now() + .milliseconds(1)) == .timedOut {
        self.progress.completedUnitCount += 1
      }
    }
  }
}
