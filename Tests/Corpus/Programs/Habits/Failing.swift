import BackgroundTasks

// How errors are read: by `switch` over the code, as `NSError`, by pattern.

private let base = "org.example.corpus"

/// Takes the whole of a machine's line, or does not begin.
private func request(_ name: String) -> BGContinuedProcessingTaskRequest {
  let request = BGContinuedProcessingTaskRequest(
    identifier: "\(base).\(name)", title: "Export", subtitle: "All")
  request.strategy = .fail
  return request
}

private func bySwitch(_ request: BGTaskRequest) -> String {
  do {
    try BGTaskScheduler.shared.submit(request)
    return "submitted"
  } catch let error as BGTaskScheduler.Error {
    switch error.code {
    case .unavailable: return "unavailable"
    case .tooManyPendingTaskRequests: return "too many"
    case .notPermitted: return "not permitted"
    case .immediateRunIneligible: return "not now"
    @unknown default: return "unknown"
    }
  } catch {
    return "something else"
  }
}

private func byPattern(_ request: BGTaskRequest) -> String {
  do {
    try BGTaskScheduler.shared.submit(request)
    return "submitted"
  } catch BGTaskScheduler.Error.notPermitted {
    return "not permitted"
  } catch BGTaskScheduler.Error.immediateRunIneligible, BGTaskScheduler.Error.unavailable {
    return "not now"
  } catch {
    return "something else"
  }
}

private func asNSError(_ request: BGTaskRequest) -> String {
  do {
    try BGTaskScheduler.shared.submit(request)
    return "submitted"
  } catch let error as NSError {
    guard error.domain == BGTaskScheduler.errorDomain else { return error.domain }
    return "\(error.code): \(error.userInfo.keys.sorted())"
  }
}

extension Habit {
  static let failing = [
    Habit(
      name: "switch", launch: {},
      use: { stage in
        let nobody = request("switch.nobody")
        stage.expectEqual(bySwitch(nobody), "not permitted", "no handler")
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "\(base).switch.busy", using: nil
        ) { task in task.expirationHandler = { task.setTaskCompleted(success: false) } }
        stage.expectEqual(bySwitch(request("switch.busy")), "submitted", "the first")
        stage.expectEqual(bySwitch(request("switch.busy")), "not now", "the second")
        stage.expectEqual(byPattern(request("switch.busy")), "not now", "by pattern")
        stage.expectEqual(byPattern(request("switch.*")), "not permitted", "a literal pattern")
        await stage.start(of: "\(base).switch.busy")
        try BGTaskScheduler.shared.simulateExpiration(
          forTaskWithIdentifier: "\(base).switch.busy")
        _ = await stage.ends(of: "\(base).switch.busy")
      }),
    Habit(
      name: "nserror", launch: {},
      use: { stage in
        let nobody = request("nserror.nobody")
        stage.expectEqual(asNSError(nobody), "3: [\"NSLocalizedDescription\"]", "caught")
        let made: any Error = NSError(domain: BGTaskScheduler.errorDomain, code: 4)
        stage.expectEqual(
          (made as? BGTaskScheduler.Error)?.code, .immediateRunIneligible, "bridged")
        let own = BGTaskScheduler.Error(.unavailable, userInfo: ["key": "value"])
        stage.expectEqual(own.userInfo["key"] as? String, "value", "userInfo")
        stage.expectEqual((own as NSError).code, 1, "as NSError")
        stage.expectEqual(
          BGTaskScheduler.Error._nsErrorDomain, "BGTaskSchedulerErrorDomain", "domain")
        if case BGTaskScheduler.Error.unavailable = own as any Error {
          stage.expect(own != BGTaskScheduler.Error(.notPermitted), "errors are told apart")
        } else {
          stage.expect(false, "the pattern matches")
        }
      }),
  ]
}
