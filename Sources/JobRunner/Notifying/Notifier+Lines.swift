import JobCore
import JobRuntime
import JobWire

extension Notifier {
  /// Tells people who do not look what a turn made durable, as far as the rules see fit.
  func tell(of lines: [Turn.Line], _ jobs: LiveJobTable, by rules: NoticeRules) {
    for line in lines where NoticeRules.mayTell(of: line.kind) {
      guard let object = line.object, let occasion = line.occasion(of: jobs[line.number]),
        let notice = rules.notice(of: occasion)
      else { continue }
      tell(notice, of: object, lasted: occasion.lasted)
    }
    send()
  }
}

extension Turn.Line {
  /// What the rules ask about an announcement.
  func occasion(of job: LiveJob?) -> NoticeRules.Occasion? {
    guard let object else { return nil }
    var occasion = NoticeRules.Occasion(kind, of: object)
    occasion.onStall = job?.submission.options.onStall ?? .ask
    occasion.isWatched = object.attached > 0
    return occasion
  }
}
