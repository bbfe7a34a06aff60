internal import JobPage
internal import JobWire
internal import LinuxSystem

/// The command that carries a person's terminal to that of a job.
package enum TerminalPlace {
  /// Becomes that command: the supervisor's program, where the job runs.
  ///
  /// `place`: the engine's folder, in hexadecimal; relative to the default folder unless it begins with a slash.
  /// `attempt`: `NUMBER.ATTEMPT`. `programs`: the folder of the supervisor.
  ///
  /// - Returns: why it cannot.
  package static func become(
    _ kind: String, place: String, attempt: String, programs: String
  ) -> String {
    guard let place = text(place), let name = JobFolder(path: attempt).attempt else {
      return "it is called with the folder of an engine and an attempt"
    }
    let store = place.hasPrefix("/") ? place : "\(EngineService.defaultFolder)/\(place)"
    let folder = JobFolder(store: store, number: name.number, attempt: name.attempt)
    let supervisor = "\(programs)/jobrun-shim"
    let carrier = ["terminal", folder.keys, folder.log]
    guard EngineSettings.Kind(rawValue: kind) == .slurm else {
      return "\(CurrentProcess.become(supervisor, carrier))"
    }
    guard let bytes = try? File.readAll(folder.record, limit: 1 << 16),
      let claim = RunRecord(parsing: bytes).claimed
    else { return "the job has not begun" }
    let shared = File.parent(of: File.parent(of: store))
    let program = QueuePrograms.install(from: supervisor, below: shared) { _ in }
    // A step of the job's own allocation, beside the job.
    let step = [
      "srun", "--jobid=\(claim.job)", "--overlap", "--nodes=1", "--ntasks=1",
      "--nodelist=\(claim.node)", "--unbuffered", "--quiet", program,
    ]
    return "\(CurrentProcess.become("/usr/bin/env", step + carrier))"
  }

  private static func text(_ hexadecimal: String) -> String? {
    let digits = Array(hexadecimal.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { start in
      UInt8(String(decoding: digits[start..<(start + 2)], as: UTF8.self), radix: 16)
    }
    guard bytes.allSatisfy({ $0 != nil }) else { return nil }
    return String(decoding: bytes.compactMap { $0 }, as: UTF8.self)
  }
}
