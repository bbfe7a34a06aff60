import BackgroundTasks

// Repeats the same CORPUS_TRIES times: shows errors that occur one time in six.

private let base = "org.example.corpus"
private let tries = ProcessInfo.processInfo.environment["CORPUS_TRIES"].flatMap(Int.init) ?? 20

private func report(_ what: String, _ count: Int) {
  FileHandle.standardOutput.write(Data("\(what): \(count) of \(tries)\n".utf8))
}

private func continued(_ identifier: String) -> BGContinuedProcessingTaskRequest {
  let request = BGContinuedProcessingTaskRequest(
    identifier: identifier, title: "Try", subtitle: "again")
  // Waiting would hide that the task before is still thought to run.
  request.strategy = .fail
  return request
}

extension Habit {
  static let trying = [
    Habit(
      name: "tries-completion", launch: {},
      use: { stage in
        let identifier = "\(base).tries-completion.task"
        let (completed, completion) = AsyncStream<Void>.makeStream()
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
          task.setTaskCompleted(success: true)
          completion.yield()
        }
        var refused = 0
        var completions = completed.makeAsyncIterator()
        for _ in 0..<tries {
          do {
            try BGTaskScheduler.shared.submit(continued(identifier))
            await completions.next()
          } catch {
            refused += 1
          }
        }
        report("refused right after setTaskCompleted", refused)
        stage.expectEqual(refused, 0, "refused")
        let ended = await stage.ends(of: identifier, count: tries - refused)
        let lost = ended.filter { $0.outcome != .succeeded }.count
        report("lost", lost)
        stage.expectEqual(lost, 0, "lost")
      }),
    Habit(
      name: "tries-refresh",
      launch: {
        let identifier = "\(base).tries-refresh.task"
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
          Diary.note("turn")
          if Diary.lines.count < tries {
            BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier)
            do {
              try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: identifier))
            } catch {
              Diary.note("refused: \(error)")
            }
          }
          task.setTaskCompleted(success: true)
        }
      },
      use: { stage in
        let identifier = "\(base).tries-refresh.task"
        try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: identifier))
        let ended = await stage.ends(of: identifier, count: tries)
        let turns = Diary.lines.filter { $0 == "turn" }.count
        report("refreshes that did not come back", tries - turns)
        report("refused", Diary.lines.count - turns)
        stage.expectEqual(turns, tries, "turns")
        stage.expectEqual(Diary.lines.count, tries, "diary")
        stage.expectEqual(ended.filter { $0.outcome == .succeeded }.count, tries, "succeeded")
      }),
    Habit(
      name: "tries-progress", launch: {},
      use: { stage in
        let identifiers = (0..<tries).map { "\(base).tries-progress.task.n\($0)" }
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).tries-progress.task.*", using: nil
        ) { task in
          task.progress.totalUnitCount = 100
          task.progress.completedUnitCount = Int64.random(in: 0...99)
          task.progress.cancel()
          task.setTaskCompleted(success: true)
        }
        for identifier in identifiers {
          let request = continued(identifier)
          request.strategy = .queue
          try BGTaskScheduler.shared.submit(request)
        }
        let records = await BGTaskScheduler.shared.taskRecords { records in
          records.filter { $0.state == .ended }.count >= tries
        }
        let lost = records.filter { $0.outcome != .succeeded }.count
        report("no success after cancelling the own progress", lost)
        stage.expectEqual(records.count, tries, "tasks")
        stage.expectEqual(lost, 0, "lost")
      }),
  ]
}
