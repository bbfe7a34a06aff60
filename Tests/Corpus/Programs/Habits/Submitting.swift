import BackgroundTasks

// Submissions: several at once, in the newer forms, subclasses, names outside the bundle.

private let base = "org.example.corpus"

@MainActor
private func pressUpload() throws -> [String] {
  try ["sky", "sea", "sand"].map { photo in
    let identifier = "\(base).button.upload.\(photo)"
    BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
      guard let task = task as? BGContinuedProcessingTask else { return }
      let part = Progress(totalUnitCount: 10, parent: task.progress, pendingUnitCount: 1)
      task.progress.totalUnitCount = 1
      for _ in 0..<10 { part.completedUnitCount += 1 }
      task.setTaskCompleted(success: true)
    }
    try BGTaskScheduler.shared.submit(
      BGContinuedProcessingTaskRequest(identifier: identifier, title: photo, subtitle: "Upload"))
    return identifier
  }
}

/// A request with its own identifier and date.
final class NightlyRequest: BGProcessingTaskRequest {
  let reason: String

  init(reason: String) {
    self.reason = reason
    super.init(identifier: "\(base).subclass.nightly")
    requiresExternalPower = false
    earliestBeginDate = Date(timeIntervalSinceNow: 8 * 3600)
  }
}

class UploadRequest: BGContinuedProcessingTaskRequest {
  convenience init(photo: String) {
    self.init(identifier: "\(base).subclass.upload", title: photo, subtitle: "Upload")
    strategy = .fail
  }
}

private func complete(_ identifiers: String...) {
  for identifier in identifiers {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
      Diary.note("\(type(of: task))")
      task.setTaskCompleted(success: true)
    }
  }
}

extension Habit {
  static let submitting = [
    Habit(
      name: "button", launch: {},
      use: { stage in
        for identifier in try pressUpload() {
          let ended = await stage.ends(of: identifier)
          stage.expectEqual(ended.map(\.outcome), [.succeeded], identifier)
          stage.expectEqual(ended.first?.progress?.fraction, 1, "fraction")
        }
        stage.expectEqual(await BGTaskScheduler.shared.taskRecords().count, 3, "tasks")
      }),
    Habit(
      name: "newer", launch: { complete("\(base).newer.refresh", "\(base).newer.vacuum") },
      use: { stage in
        let refresh = BGAppRefreshTaskRequest(identifier: "\(base).newer.refresh")
        try await BGTaskScheduler.shared.submitTaskRequest(refresh)
        let vacuum = BGProcessingTaskRequest(identifier: "\(base).newer.vacuum")
        let error = await withCheckedContinuation { continuation in
          BGTaskScheduler.shared.submitTaskRequest(vacuum) {
            continuation.resume(returning: $0.map { "\($0)" })
          }
        }
        stage.expect(error == nil, "completion handler: \(error ?? "")")
        let ended =
          await stage.ends(of: refresh.identifier) + stage.ends(of: vacuum.identifier)
        stage.expectEqual(ended.map(\.outcome), [.succeeded, .succeeded], "outcomes")
        do {
          try await BGTaskScheduler.shared.submitTaskRequest(
            BGContinuedProcessingTaskRequest(
              identifier: "\(base).newer.nobody", title: "Nobody", subtitle: ""))
          stage.expect(false, "a request without a handler is refused")
        } catch BGTaskScheduler.Error.notPermitted {
          // As it should be.
        }
      }),
    Habit(
      name: "subclass", launch: { complete("\(base).subclass.nightly", "\(base).subclass.upload") },
      use: { stage in
        try BGTaskScheduler.shared.submit(NightlyRequest(reason: "tidy"))
        stage.expectEqual(await stage.pending(), ["\(base).subclass.nightly"], "pending")
        try stage.launch("\(base).subclass.nightly")
        let nightly = await stage.ends(of: "\(base).subclass.nightly")
        try BGTaskScheduler.shared.submit(UploadRequest(photo: "sky"))
        let upload = await stage.ends(of: "\(base).subclass.upload")
        stage.expectEqual(
          (nightly + upload).map(\.outcome), [.succeeded, .succeeded], "outcomes")
        stage.expectEqual(
          Diary.lines, ["BGProcessingTask", "BGContinuedProcessingTask"], "classes")
      }),
    Habit(
      name: "health", launch: { complete("\(base).health.study") },
      use: { stage in
        let request = BGHealthResearchTaskRequest(identifier: "\(base).health.study")
        request.protectionTypeOfRequiredData = .complete
        request.requiresExternalPower = false
        try BGTaskScheduler.shared.submit(request)
        let ended = await stage.ends(of: "\(base).health.study")
        stage.expectEqual(ended.map(\.outcome), [.succeeded], "outcome")
        stage.expectEqual(Diary.lines, ["BGHealthResearchTask"], "classes")
      }),
  ]
}
