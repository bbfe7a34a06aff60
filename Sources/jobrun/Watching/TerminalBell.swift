import JobCore
import JobWire

/// When the terminal's bell rings for an attached job.
struct TerminalBell {
  /// When to ring.
  enum Wish: Hashable {
    case never
    /// For all jobs: for events that would cause a notice without an attached terminal.
    case worthy(NoticeRules)
    /// For this job: for every question and its end, of any kind.
    case always
  }

  /// BEL of ECMA-48.
  static let character = "\u{7}"

  let wish: Wish
  private var hadPrompt = false
  private var hasRungForEnd = false

  init(_ wish: Wish) {
    self.wish = wish
  }

  /// Whether to ring for the job's current state; once for each question, and once for the end.
  mutating func rings(for job: JobStatus) -> Bool {
    guard wish != .never else { return false }
    let isNewQuestion = job.prompt != nil && !hadPrompt
    hadPrompt = job.prompt != nil
    if job.state == .ended {
      guard !hasRungForEnd else { return false }
      hasRungForEnd = true
      return ringsForEnd(of: job)
    }
    return isNewQuestion
  }

  private func ringsForEnd(of job: JobStatus) -> Bool {
    guard case .worthy(let rules) = wish else { return true }
    guard case .end? = rules.notice(of: NoticeRules.Occasion(.ended, of: job)) else { return false }
    return true
  }
}
