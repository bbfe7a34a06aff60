internal import BackgroundTasks
internal import JobFiles

/// The job that uploads a file, from its command line to its end.
package enum UploadSample {
  package static func main() -> Never {
    let command = JobCommand { () throws(TransferError) in
      try UploadArguments(JobProcess.arguments)
    }
    JobProcess.hideLogins()
    JobProcess.prepare()
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.upload.*") { task in
      try await command.run { asked in try Upload.run(asked, task) }
    }
    BGTaskScheduler.shared.runUntilComplete()
  }
}
