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

@Suite(.timeLimit(.minutes(1)))
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
}
