internal import BackgroundTasks
internal import JobFiles

private let command = JobCommand { () throws(VacuumError) in
  try VacuumArguments(JobProcess.arguments)
}

JobProcess.prepare()
BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.vacuum.*") {
  (task: BGProcessingTask) in
  try await command.run { asked in try Vacuum.run(asked, task) }
}
BGTaskScheduler.shared.runUntilComplete()
