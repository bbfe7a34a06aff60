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
    /// When its supervisor should have ended it: the limit, and some time to do that.
    var overdueAt: Instant
    /// How often its supervisor was told to.
    var kills = 0

    init(
      _ row: EndCommandRow, _ supervisor: consuming ProcessDescriptor, isChild: Bool,
      overdueAt: Instant
    ) {
      self.row = row
      self.supervisor = supervisor
      self.isChild = isChild
      self.overdueAt = overdueAt
    }
  }

  /// Commands that run at the same time.
  static let runsAtOnce = 4
  /// What a supervisor may take after the limit until everything has ended.
  static let respite = Span.seconds(5)
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
