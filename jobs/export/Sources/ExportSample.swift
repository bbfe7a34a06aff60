internal import BackgroundTasks
internal import JobFiles

/// The job that packs a folder, from its command line to its end.
package enum ExportSample {
  package static func main() -> Never {
    let command = JobCommand { () throws(ExportError) in
      try ExportArguments(JobProcess.arguments)
    }
    JobProcess.prepare()
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "io.jobrun.samples.export.*") { task in
      try await command.run { asked in try Export.run(asked, task) }
    }
    BGTaskScheduler.shared.runUntilComplete()
  }
}
