internal import JobWire
package import LinuxSystem

/// The main loop of a helper: serves one engine, in lines of JSON on standard input and output, until its
/// input ends.
package enum EngineService {
  /// The runner's names for the kinds.
  package static let kinds = EngineSettings.Kind.allCases.filter { $0 != .pool }.map { $0.rawValue }

  /// The default folder of the jobs' folders.
  static var defaultFolder: String {
    let home = CurrentProcess.environmentValue("HOME") ?? "/tmp"
    let state = CurrentProcess.environmentValue("XDG_STATE_HOME") ?? "\(home)/.local/state"
    return "\(state)/jobrun/engine"
  }

  /// `programs`: the folder of the supervisor.
  package static func serve(_ kind: String, programs: String) throws(SystemError) {
    let output = FileDescriptor(owning: 1)
    let report = { (report: EngineReport) in
      // Without a reader the input ends, too, which ends the loop.
      _ = try? output.writeAll(report.line)
    }
    let input = FileDescriptor(owning: 0)
    let supervisor = "\(programs)/jobrun-shim"
    switch EngineSettings.Kind(rawValue: kind) {
    case .host:
      try HostEngine(program: supervisor, report: report).serve(input)
    case .slurm:
      try QueueEngine<SlurmDialect>(program: supervisor, report: report).serve(input)
    case .batch:
      try QueueEngine<BatchDialect>(program: supervisor, report: report).serve(input)
    case .pool, nil: break
    }
  }
}
