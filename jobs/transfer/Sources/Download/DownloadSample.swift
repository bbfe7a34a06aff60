internal import BackgroundTasks
internal import JobFiles

/// The job that downloads a file, from its command line to its end.
package enum DownloadSample {
  package static func main() -> Never {
    let command = JobCommand { () throws(TransferError) in
      try DownloadArguments(JobProcess.arguments)
    }
    JobProcess.hideLogins()
    JobProcess.prepare()
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.download.*") { task in
      try await command.run { asked in try Download.run(asked, task) }
    }
    BGTaskScheduler.shared.runUntilComplete()
  }
}
