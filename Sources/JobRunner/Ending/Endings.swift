import JobCore
import JobStore
import LinuxSystem

/// The commands that follow the ends of jobs: few at a time, each below a supervisor that outlives
/// this runner, the others in their order.
struct Endings {
  /// A command below its supervisor.
  final class Run {
    let row: EndCommandRow
    let supervisor: ProcessDescriptor
    /// Started by this runner, which therefore must reap it.
    let isChild: Bool

    init(_ row: EndCommandRow, _ supervisor: consuming ProcessDescriptor, isChild: Bool) {
      self.row = row
      self.supervisor = supervisor
      self.isChild = isChild
    }
  }

  /// Commands that run at the same time.
  static let runsAtOnce = 4
  /// How often a supervisor is started that ends before it has begun.
  static let vainStarts = 3

  /// In the order of the ends.
  var waiting: [EndCommandRow] = []
  var runs: [UInt64: Run] = [:]
  /// Supervisors that ended before they had begun, by command.
  var vain: [UInt64: Int] = [:]
  /// Something was missing to go on: when to look again.
  var tryAgainAt: Instant?

  var isEmpty: Bool { waiting.isEmpty && runs.isEmpty }

  /// Whether something is due or runs because this job has ended.
  func concerns(_ number: JobNumber) -> Bool {
    waiting.contains { $0.number == number } || runs.values.contains { $0.row.number == number }
  }
}
