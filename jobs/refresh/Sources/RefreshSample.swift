internal import BackgroundTasks
internal import JobFiles

/// The job that fetches an address repeatedly, from its command line to its end.
package enum RefreshSample {
  package static func main() -> Never {
    let command = JobCommand { () throws(RefreshError) in
      try RefreshArguments(CommandLine.arguments.dropFirst())
    }
    JobProcess.hideLogins()
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.refresh") {
      (task: BGAppRefreshTask) in
      try await command.run { asked in try await Refresh.run(asked, task) }
    }
    BGTaskScheduler.shared.runUntilComplete()
  }
}
