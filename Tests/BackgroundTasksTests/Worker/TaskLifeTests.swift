import Testing

@testable import BackgroundTasks

struct `The life of a task` {
  private let stop = TaskLife.Stop(reason: .user, deadlineNanoseconds: 0)

  /// The name of a step, without its closure.
  private func names(_ steps: [TaskLife.Step]) -> [String] {
    steps.map { step in
      switch step {
      case .cancelProgress: "cancelProgress"
      case .cancelWork: "cancelWork"
      case .expire: "expire"
      case .cleanUp(let bodies, _, let completes): "cleanUp \(bodies.count) \(completes)"
      case .completeUnsuccessfully: "completeUnsuccessfully"
      }
    }
  }

  @Test func `a stop that nobody listens to completes the task`() {
    var life = TaskLife()
    #expect(names(life.stop(stop)) == ["cancelProgress", "completeUnsuccessfully"])
    #expect(names(life.stop(stop)).isEmpty)
  }

  @Test func `a stop before the Swift task is known cancels it as soon as it is`() {
    var life = TaskLife()
    life.expectCancelWork()
    #expect(names(life.stop(stop)) == ["cancelProgress"])
    #expect(names(life.setCancelWork(TaskLife.Action {})) == ["cancelWork"])
  }

  @Test func `a handler that comes too late for the completion still tidies up`() {
    var life = TaskLife()
    #expect(names(life.stop(stop)) == ["cancelProgress", "completeUnsuccessfully"])
    let isFirst = life.complete()
    #expect(isFirst)
    #expect(names(life.setExpirationHandler(TaskLife.Action {})) == ["expire"])
  }

  @Test func `after an end without a stop nothing is kept and nothing is called`() {
    var life = TaskLife()
    let isFirst = life.complete()
    #expect(isFirst)
    #expect(names(life.setExpirationHandler(TaskLife.Action {})).isEmpty)
    #expect(names(life.setCancelWork(TaskLife.Action {})).isEmpty)
    #expect(life.expirationHandler == nil)
    #expect(names(life.stop(stop)).isEmpty)
  }

  @Test func `clean-up is run before anything else, and completes what nobody else does`() {
    var life = TaskLife()
    _ = life.addCleanUp { _ in }
    _ = life.addCleanUp { _ in }
    #expect(names(life.stop(stop)) == ["cancelProgress", "cleanUp 2 true"])
    #expect(names(life.addCleanUp { _ in }) == ["cleanUp 1 false"])
  }

  @Test func `clean-up beside an expiration handler leaves the completion to that`() {
    var life = TaskLife()
    _ = life.addCleanUp { _ in }
    _ = life.setExpirationHandler(TaskLife.Action {})
    #expect(names(life.stop(stop)) == ["cancelProgress", "cleanUp 1 false", "expire"])
  }
}
