import BackgroundTasks
import Foundation
import Synchronization
import Testing

// The Swift code of the article MovingFromIOS; ArticleTests holds the two together.

private let told = Mutex<[String]>([])

private func tell(_ sentence: String) {
  told.withLock { $0.append(sentence) }
}

private func writeState() { tell("written") }

private func write(page: Int) async { await Task.yield() }

func registerExport() {
  BGTaskScheduler.shared.register(
    forTaskWithIdentifier: "io.example.notes.export.trip", using: nil
  ) { task in
    guard let task = task as? BGContinuedProcessingTask else { return }
    task.progress.totalUnitCount = 20
    let work = Task {
      for number in 1...20 where !Task.isCancelled {
        await write(page: number)
        task.progress.completedUnitCount += 1
        task.updateTitle(task.title, subtitle: "\(number) of 20 pages")
      }
      task.setTaskCompleted(success: !Task.isCancelled)
    }
    task.expirationHandler = { work.cancel() }
  }
}

func submitExport() {
  let request = BGContinuedProcessingTaskRequest(
    identifier: "io.example.notes.export.trip", title: "Export", subtitle: "Trip 2026")
  request.strategy = .fail
  do {
    try BGTaskScheduler.shared.submit(request)
  } catch BGTaskScheduler.Error.immediateRunIneligible {
    tell("the machine is busy; try again later")
  } catch {
    tell(error.localizedDescription)
  }
}

func saveState() {
  let hold = BGTaskScheduler.shared.beginBackgroundTask(withName: "save") {
    tell("there is little time left")
  }
  writeState()
  BGTaskScheduler.shared.endBackgroundTask(hold)
}

@Suite(.timeLimit(.minutes(60)))
struct `The code of the articles` {
  @Test func `says when the machine is busy`() throws {
    let scheduler = BGTaskScheduler.embedded(
      clock: VirtualClock(), resources: EmbeddedResources(slots: 1))
    scheduler.register(forTaskWithIdentifier: "io.example.notes.*", using: nil) { _ in }
    scheduler.asShared {
      submitExport()
      submitExport()
      saveState()
    }
    #expect(told.withLock(\.self) == ["the machine is busy; try again later", "written"])
  }

  @Test func `exports, page by page`() async throws {
    let scheduler = BGTaskScheduler.embedded(clock: VirtualClock())
    scheduler.asShared {
      registerExport()
      submitExport()
    }
    let record = await scheduler.taskRecord(
      forTaskWithIdentifier: "io.example.notes.export.trip"
    ) { $0.state == .ended }
    #expect(record?.outcome == .succeeded)
    #expect(record?.subtitle == "20 of 20 pages")
    #expect(record?.progress?.completed == 20)
  }

  @Test func `says that a copy of a subclass is of the class that it derives from`() {
    final class Nightly: BGProcessingTaskRequest {}
    let copy = Nightly(identifier: "io.example.notes.vacuum").copy()
    #expect(type(of: copy) == BGProcessingTaskRequest.self)
    let study = BGHealthResearchTaskRequest(identifier: "io.example.notes.study").copy()
    #expect(type(of: study) == BGHealthResearchTaskRequest.self)
  }
}
