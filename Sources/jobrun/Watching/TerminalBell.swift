import JobCore
import JobWire

/// When the terminal's bell rings for an attached job: for what would be told on the desktop if
/// nobody were attached.
struct TerminalBell {
  /// BEL of ECMA-48.
  static let character = "\u{7}"

  /// Nil = it never rings.
  let rules: NoticeRules?
  private var hadPrompt = false
  private var hasRungForEnd = false

  init(rules: NoticeRules?) {
    self.rules = rules
  }

  /// Whether it rings for what the job is now; once for each question, and once for the end.
  mutating func rings(for job: JobObject) -> Bool {
    guard let rules else { return false }
    let isNewQuestion = job.prompt != nil && !hadPrompt
    hadPrompt = job.prompt != nil
    if job.state == .ended {
      guard !hasRungForEnd else { return false }
      hasRungForEnd = true
      guard case .end? = rules.notice(of: NoticeRules.Occasion(.ended, of: job)) else {
        return false
      }
      return true
    }
    return isNewQuestion
  }
}
