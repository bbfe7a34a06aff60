internal import BackgroundTasks
internal import Glibc
internal import JobFiles

private let arguments = Result { () throws(RefreshError) in
  try RefreshArguments(CommandLine.arguments.dropFirst())
}

if !BGTaskScheduler.shared.isWorker {
  switch arguments {
  case .success(let asked) where asked.wantsHelp:
    print(RefreshArguments.usage)
    exit(0)
  case .failure(.usage(let sentence)):
    Report.say(sentence)
    exit(64)
  case .success, .failure: break  // The library says how jobs are started.
  }
}

BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.refresh") {
  (task: BGAppRefreshTask) in
  do {
    let asked = try arguments.get()
    if asked.wantsHelp { return Report.say(RefreshArguments.usage) }
    try await Refresh.run(asked, task)
  } catch let error as RefreshError {
    throw error.failure
  }
}
BGTaskScheduler.shared.runUntilComplete()
