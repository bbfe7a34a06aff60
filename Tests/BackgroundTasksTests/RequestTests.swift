import BackgroundTasks
import Foundation
import Testing

struct `Requests and their errors` {
  private typealias Continued = BGContinuedProcessingTaskRequest

  @Test func `a request starts with Apple's defaults`() {
    let refresh = BGAppRefreshTaskRequest(identifier: "io.example.refresh")
    #expect(refresh.identifier == "io.example.refresh")
    #expect(refresh.earliestBeginDate == nil)
    let processing = BGProcessingTaskRequest(identifier: "io.example.vacuum")
    #expect(!processing.requiresExternalPower && !processing.requiresNetworkConnectivity)
    let continued = Continued(identifier: "io.example.export", title: "Export", subtitle: "2026")
    #expect(continued.strategy == .queue)
    #expect(continued.requiredResources == [])
    #expect((continued.title, continued.subtitle) == ("Export", "2026"))
  }

  @Test func `raw values are Apple's`() {
    #expect(Continued.SubmissionStrategy.fail.rawValue == 0)
    #expect(Continued.SubmissionStrategy.queue.rawValue == 1)
    #expect(Continued.Resources.gpu.rawValue == 1)
  }

  @Test func `a copy has the same values and its own life`() throws {
    let request = Continued(identifier: "io.example.export", title: "Export", subtitle: "2026")
    request.strategy = .fail
    request.requiredResources = .gpu
    request.earliestBeginDate = Date(timeIntervalSince1970: 7)
    let copy = try #require(request.copy() as? Continued)
    request.title = "Something else"
    #expect(copy !== request)
    #expect((copy.identifier, copy.title, copy.subtitle) == ("io.example.export", "Export", "2026"))
    #expect((copy.strategy, copy.requiredResources) == (.fail, .gpu))
    #expect(copy.earliestBeginDate == Date(timeIntervalSince1970: 7))
  }

  @Test func `a copied processing request keeps its conditions`() throws {
    let request = BGProcessingTaskRequest(identifier: "io.example.vacuum")
    request.requiresExternalPower = true
    let copy = try #require(request.copy() as? BGProcessingTaskRequest)
    #expect(copy.requiresExternalPower && !copy.requiresNetworkConnectivity)
    #expect(BGAppRefreshTaskRequest(identifier: "a").copy() is BGAppRefreshTaskRequest)
  }

  @Test(
    arguments: zip(
      [
        BGTaskScheduler.Error.Code.unavailable, .tooManyPendingTaskRequests, .notPermitted,
        .immediateRunIneligible,
      ], 1...4))
  func `errors have Apple's codes and domain, and a sentence`(
    code: BGTaskScheduler.Error.Code, number: Int
  ) throws {
    let thrown: any Error = BGTaskScheduler.Error(code, "it is too late; come tomorrow")
    #expect(code.rawValue == number)
    let error = try #require(thrown as? any CustomNSError)
    #expect(error.errorCode == number)
    #expect(type(of: error).errorDomain == "BGTaskSchedulerErrorDomain")
    #expect(thrown.localizedDescription == "it is too late; come tomorrow")
    #expect("\(thrown)" == "it is too late; come tomorrow")
  }

  @Test func `catch tests for one code`() {
    let thrown: any Error = BGTaskScheduler.Error(.notPermitted, "not here")
    switch thrown {
    case BGTaskScheduler.Error.unavailable: Issue.record("the wrong code")
    case BGTaskScheduler.Error.notPermitted: break
    default: Issue.record("no code at all")
    }
  }
}
