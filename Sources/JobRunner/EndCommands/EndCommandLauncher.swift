import JobCore
import JobPage
import JobStore
import JobWire
import LinuxSystem

/// Starts on-end commands, each with its own supervisor.
struct EndCommandLauncher {
  let paths: Paths
  let store: Store
  let supervisors: SupervisorSource
  /// The umask of the runner, for jobs that brought none.
  let creationMask: UInt32

  /// The supervisor's pid, and the environment entry that marks its processes.
  ///
  /// - Throws: `SystemError`, `StoreError` or `JobPageError`; then nothing was started.
  func start(
    _ row: EndCommandRow, record: String, _ configuration: RunnerConfiguration
  ) throws -> (pid: Int32, token: String) {
    let specification = try specification(of: row)
    var order = LaunchOrder(
      record: record, page: "", log: paths.log(row.number),
      stateDirectory: paths.jobState(row.number),
      token: "end.\(row.id).\(RandomBytes.hexadecimal(count: 8))", graceMilliseconds: 1_000,
      creationMask: specification.creationMask ?? creationMask, specification: specification)
    order.limitMilliseconds = configuration.onEnd.limit.milliseconds
    let job = (try? store.job(row.number)) ?? nil
    order.logLimit = job?.details.logLimit ?? configuration.logLimit
    let token = "JOBRUN_TOKEN=\(order.token)"
    order.specification.replace(with: [token])
    let content = try MemoryFile.make(order.encoded(), name: "jobrun-order")
    // The announcements are not needed, because its record has the same data. Commands are few, and each must
    // be known for certain to have started, so no supervisor is forked from a template.
    let nobody = try File.open("/dev/null", [.read, .write])
    let pid = try supervisors.execute(order: content, announcing: nobody)
    return (pid, token)
  }

  /// The submitter's folder and environment, with how the job ended; for a job that a process
  /// hosted, the runner's own.
  private func specification(of row: EndCommandRow) throws -> LaunchSpecification {
    var specification = LaunchSpecification(
      directory: Array("/".utf8), arguments: [], environment: CurrentProcess.environment())
    if let stored = try store.specification(row.number) {
      specification = try LaunchSpecification(stored, of: row.number)
    }
    specification.arguments = ["/bin/sh", "-c", row.command].map { Array($0.utf8) }
    // It is no part of a job, even if the job was submitted by one.
    specification.environment.removeAll { entry in
      ["JOBRUN_PAGE=", "JOBRUN_STATE_DIR=", "JOBRUN_KIND="].contains { entry.starts(with: $0.utf8) }
    }
    let entries = row.variables.split(separator: 0)
    specification.replace(with: entries.map { String(decoding: $0, as: UTF8.self) })
    return specification
  }
}
