internal import BackgroundTasks
internal import Glibc
internal import JobFiles

private let arguments = Result { () throws(MirrorError) in
  try MirrorArguments(JobProcess.arguments)
}

if !BGTaskScheduler.shared.isWorker {
  switch arguments {
  case .success(let asked) where asked.wantsHelp:
    print(MirrorArguments.usage)
    exit(0)
  case .failure(.usage(let sentence)):
    Report.say(sentence)
    exit(64)
  case .success, .failure: break  // The library says how jobs are started.
  }
}

JobProcess.prepare()
BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.mirror.*") { task in
  do {
    let asked = try arguments.get()
    if asked.wantsHelp { return Report.say(MirrorArguments.usage) }
    try Mirror.run(asked, task)
  } catch let error as MirrorError {
    throw error.failure
  }
}
BGTaskScheduler.shared.runUntilComplete()
