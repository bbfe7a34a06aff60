import JobClient
import JobCore
import JobWire
import LinuxSystem

extension Program {
  /// Carries out `jobrun log --explain` for one job.
  func explain(_ job: JobStatus, _ isJSON: Bool, _ paths: Paths) -> Int32 {
    let evidence = ProgressEvidence.read(job.number, paths)
    if isJSON {
      for one in evidence {
        writeJSON {
          $0.field("number", job.number.value)
          var one = one
          one.code(with: &$0)
        }
      }
    } else {
      for line in EvidenceTable.lines(evidence) { data.buffer(line: line) }
    }
    data.flush()
    if evidence.isEmpty { talk.write(line: "job \(job.number): \(Self.reason(job))") }
    return ExitCode.success
  }

  /// Why there is nothing to explain.
  private static func reason(_ job: JobStatus) -> String {
    if let progress = job.progress, progress.source == .page {
      return "it reports its progress itself"
    }
    return "no progress was recognised, or no client watched while it ran"
  }
}
