internal import BackgroundTasks
internal import JobFiles

/// The job that copies a folder, from its command line to its end.
package enum MirrorSample {
  package static func main() -> Never {
    let command = JobCommand { () throws(MirrorError) in
      try MirrorArguments(JobProcess.arguments)
    }
    JobProcess.prepare()
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.mirror.*") { task in
      try await command.run { asked in try Mirror.run(asked, task) }
    }
    BGTaskScheduler.shared.runUntilComplete()
  }
}
