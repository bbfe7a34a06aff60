package import JobCore
package import JobWire
import LinuxSystem

extension ProgressTrace {
  /// The progress of a job over time; empty for a job without a trace.
  package static func read(_ number: JobNumber, _ paths: Paths) -> ProgressTrace {
    guard
      let file = try? File.open(paths.trace(number), [.read, .noFollow, .nonblocking]),
      let bytes = try? file.readToEnd(limit: largestFile),
      let trace = ProgressTrace(text: String(decoding: bytes, as: UTF8.self))
    else { return ProgressTrace() }
    return trace
  }
}
