/// The environment variables that belong to one job, or to one command that follows an end.
package enum JobVariables {
  /// The variables that the runner sets for them.
  package static let names = [
    "JOBRUN_JOB", "JOBRUN_IDENTIFIER", "JOBRUN_KIND", "JOBRUN_PAGE", "JOBRUN_STATE_DIR",
    "JOBRUN_ATTEMPT", "JOBRUN_TOKEN", "JOBRUN_COMMAND", "JOBRUN_TITLE", "JOBRUN_OUTCOME",
    "JOBRUN_EXIT_CODE", "JOBRUN_SIGNAL", "JOBRUN_STOP_REASON", "JOBRUN_MESSAGE", "JOBRUN_SECONDS",
    "JOBRUN_LOG", "JOBRUN_SLOT", "JOBRUN_GROUP", "JOBRUN_CPUS",
  ]

  /// The entries `NAME=VALUE` of an environment without these: for a process that was started from inside a job
  /// without being part of it.
  package static func without(_ environment: [[UInt8]]) -> [[UInt8]] {
    environment.filter { entry in
      !names.contains {
        entry.starts(with: $0.utf8) && entry.dropFirst($0.utf8.count).first == 0x3D
      }
    }
  }
}
