import JobCore
import JobRuntime
import JobWire

extension Notifier {
  /// Sends notices about a turn's durable announcements, according to the rules.
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
  /// The properties of an announcement that the rules need.
  func occasion(of job: LiveJob?) -> NoticeRules.Occasion? {
    guard let object else { return nil }
    var occasion = NoticeRules.Occasion(kind, of: object)
    occasion.onStall = job?.submission.options.onStall ?? .ask
    occasion.isWatched = object.attached > 0
    return occasion
  }
}
