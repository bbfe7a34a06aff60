internal import BackgroundTasks
internal import Glibc
internal import JobFiles

private let arguments = Result { () throws(ExportError) in
  try ExportArguments(JobProcess.arguments)
}

if !BGTaskScheduler.shared.isWorker {
  switch arguments {
  case .success(let asked) where asked.wantsHelp:
    print(ExportArguments.usage)
    exit(0)
  case .failure(.usage(let sentence)):
    Report.say(sentence)
    exit(64)
  case .success, .failure: break  // The library says how jobs are started.
  }
}

JobProcess.prepare()
BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.export.*") { task in
  do {
    let asked = try arguments.get()
    if asked.wantsHelp { return Report.say(ExportArguments.usage) }
    try Export.run(asked, task)
  } catch let error as ExportError {
    throw error.failure
  }
}
BGTaskScheduler.shared.runUntilComplete()
