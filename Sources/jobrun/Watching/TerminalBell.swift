import JobCore
import JobWire

/// When the terminal's bell rings for an attached job.
struct TerminalBell {
  /// Who wants to hear it.
  enum Wish: Hashable {
    case never
    /// Somebody does for all jobs: for what would be told on the desktop if nobody were attached.
    case worthy(NoticeRules)
    /// Somebody does for this job: for every question and its end, however that came.
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

  /// Whether it rings for what the job is now; once for each question, and once for the end.
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
