internal import BackgroundTasks
internal import JobFiles

private let command = JobCommand { () throws(RefreshError) in
  try RefreshArguments(CommandLine.arguments.dropFirst())
}

BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.refresh") {
  (task: BGAppRefreshTask) in
  try await command.run { asked in try await Refresh.run(asked, task) }
}
BGTaskScheduler.shared.runUntilComplete()
