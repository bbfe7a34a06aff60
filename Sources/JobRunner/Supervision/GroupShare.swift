package import JobCore
package import LinuxSystem

/// A job's share of processors and disks relative to others: a watched job comes before an unwatched one, and
/// background jobs use idle time only.
///
/// Among equals, the higher priority gets twice the share.
package struct GroupShare: Hashable {
  private enum Place {
    case foreground, background, idle
  }

  private let place: Place
  private let priority: Submission.Priority

  package init(_ kind: Submission.Kind, _ priority: Submission.Priority, isAttached: Bool) {
    self.priority = priority
    switch kind {
    case _ where isAttached: place = .foreground
    case .continued: place = .background
    case .processing, .refresh, .push: place = .idle
    }
  }

  /// In the kernel's measure, where 100 is the usual one.
  private var weight: Int {
    switch (place, priority) {
    case (.foreground, .high): 200
    case (.foreground, .normal): 100
    case (.foreground, .low), (.background, .high): 50
    case (.background, .normal): 25
    case (.background, .low): 12
    case (.idle, _): 1
    }
  }

  /// Whether it goes after others where there is no group.
  package var givesWay: Bool { place != .foreground }

  /// Gives it to a group; where a controller is missing, all stay equal.
  package func apply(to group: ControlGroup) {
    // An idle group takes no weight of processors, and one with the least is nearly idle.
    group.setIdle(place == .idle)
    group.setWeight(weight)
  }
}

/// The memory limit of a job, if the settings limit it to its requested memory.
package struct GroupMemory: Hashable {
  /// Above it the kernel throttles the job and reclaims its memory, in bytes.
  package let high: UInt64
  /// Above it the kernel kills processes of the job, in bytes.
  package let most: UInt64

  /// The requested amount is the maximum; in its last sixteenth memory is reclaimed.
  package init(_ bytes: UInt64) {
    most = bytes
    high = bytes - bytes / 16
  }
}
