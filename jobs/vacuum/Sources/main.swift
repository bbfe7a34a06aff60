internal import BackgroundTasks
internal import Glibc
internal import JobFiles

private let arguments = Result { () throws(VacuumError) in
  try VacuumArguments(JobProcess.arguments)
}

if !BGTaskScheduler.shared.isWorker {
  switch arguments {
  case .success(let asked) where asked.wantsHelp:
    print(VacuumArguments.usage)
    exit(0)
  case .failure(.usage(let sentence)):
    Report.say(sentence)
    exit(64)
  case .success, .failure: break  // The library says how jobs are started.
  }
}

JobProcess.prepare()
BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.vacuum.*") {
  (task: BGProcessingTask) in
  do {
    let asked = try arguments.get()
    if asked.wantsHelp { return Report.say(VacuumArguments.usage) }
    try Vacuum.run(asked, task)
  } catch let error as VacuumError {
    throw error.failure
  }
}
BGTaskScheduler.shared.runUntilComplete()
