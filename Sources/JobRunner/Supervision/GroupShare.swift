package import JobCore
package import LinuxSystem

/// How much of processors and disks a job gets beside others: what a person watches comes before what
/// nobody does, and what the system has chosen the time of takes only what is left.
package enum GroupShare: Hashable {
  case foreground, background, idle

  package init(_ kind: Submission.Kind, isAttached: Bool) {
    switch kind {
    case _ where isAttached: self = .foreground
    case .continued: self = .background
    case .processing, .refresh: self = .idle
    }
  }

  /// In the kernel's measure, where 100 is the usual one.
  private var weight: Int {
    switch self {
    case .foreground: 100
    case .background: 25
    case .idle: 1
    }
  }

  /// Gives it to a group; where a controller is missing, all stay equal.
  package func apply(to group: ControlGroup) {
    // An idle group takes no weight of processors, and one with the least is nearly idle.
    group.setIdle(self == .idle)
    group.setWeight(weight)
  }
}

/// The most memory that a job may have, where the settings hold it to what it has asked for.
package struct GroupMemory: Hashable {
  /// Above it the job is slowed down and gives back what it can, in bytes.
  package let high: UInt64
  /// Above it the kernel kills processes of the job, in bytes.
  package let most: UInt64

  /// What was asked for is the most; for the last sixteenth of it the job has to make room.
  package init(_ bytes: UInt64) {
    most = bytes
    high = bytes - bytes / 16
  }
}
