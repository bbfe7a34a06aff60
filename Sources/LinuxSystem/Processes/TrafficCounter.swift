internal import CLinux

/// Counts the bytes that the processes of control groups send to the network; what stays on this machine
/// does not count.
///
/// The kernel counts as long as a group exists, for the process that has made the counter.
package struct TrafficCounter: ~Copyable {
  private let counts: FileDescriptor
  private let program: FileDescriptor

  private init(_ counts: consuming FileDescriptor, _ program: consuming FileDescriptor) {
    self.counts = counts
    self.program = program
  }

  /// Nil where the kernel does not let this process.
  package static func make() -> TrafficCounter? {
    do throws(SystemError) {
      let counts = FileDescriptor(
        owning: try SystemError.check(clinux_traffic_map(), "count traffic"))
      let program = FileDescriptor(
        owning: try SystemError.check(clinux_traffic_program(counts.number), "count traffic"))
      return TrafficCounter(counts, program)
    } catch {
      return nil
    }
  }

  /// Begins with a group in which nothing lives yet, where that can be.
  package func begin(_ group: ControlGroup) {
    _ = unsafe clinux_traffic_count(program.number, group.path)
  }

  /// What has been sent since; nil of a group that is not counted.
  package func bytesSent(by group: ControlGroup) -> UInt64? {
    guard let status = (try? File.status(group.path)) ?? nil else { return nil }
    var bytes: UInt64 = 0
    return unsafe clinux_traffic_sent(counts.number, status.node, &bytes) == 0 ? bytes : nil
  }
}
