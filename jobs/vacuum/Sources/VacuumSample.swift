internal import BackgroundTasks
internal import JobFiles

/// The job that frees unused space in databases, from its command line to its end.
package enum VacuumSample {
  package static func main() -> Never {
    let command = JobCommand { () throws(VacuumError) in
      try VacuumArguments(JobProcess.arguments)
    }
    JobProcess.prepare()
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.vacuum.*") {
      (task: BGProcessingTask) in
      try await command.run { asked in try Vacuum.run(asked, task) }
    }
    BGTaskScheduler.shared.runUntilComplete()
  }
}
