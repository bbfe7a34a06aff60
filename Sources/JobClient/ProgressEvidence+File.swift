package import JobCore
package import JobWire
import LinuxSystem

extension ProgressEvidence {
  /// The evidence of a job's recognised progress; empty without any.
  package static func read(_ number: JobNumber, _ paths: Paths) -> [ProgressEvidence] {
    guard let file = try? File.open(paths.evidence(number), [.read, .noFollow, .nonblocking]),
      let bytes = try? file.readToEnd(limit: largestFile * 2)
    else { return [] }
    return all(in: String(decoding: bytes, as: UTF8.self))
  }
}
