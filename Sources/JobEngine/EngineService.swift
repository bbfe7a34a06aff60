internal import JobWire
package import LinuxSystem

/// What a helper does: it speaks for one engine, in lines of JSON on standard input and output, until its
/// input ends.
package enum EngineService {
  /// What the runner calls the kinds by.
  package static let kinds = EngineSettings.Kind.allCases.map { $0.rawValue }

  /// `programs`: the folder in which the supervisor is.
  package static func serve(_ kind: String, programs: String) throws(SystemError) {
    let output = FileDescriptor(owning: 1)
    let report = { (report: EngineReport) in
      // Without a reader there is nobody to serve: the end of the input says so.
      _ = try? output.writeAll(report.line)
    }
    let input = FileDescriptor(owning: 0)
    switch EngineSettings.Kind(rawValue: kind) {
    case .host:
      try HostEngine(program: "\(programs)/jobrun-node", report: report).serve(input)
    case .slurm:
      try SlurmEngine(program: "\(programs)/jobrun-node", report: report).serve(input)
    case nil: break
    }
  }
}
